"""Tables in browsers: the sockets that show one, and what is rendered for them."""
