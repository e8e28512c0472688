"""The values of a parameter for which a claim is true, and the least or largest of them."""
