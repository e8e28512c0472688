"""What the built documentation has beyond its Markdown pages."""
