"""Define what other processes may know: the socket, what is shown, the words."""
