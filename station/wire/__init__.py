"""What other processes may know: the socket, what is shown, the words."""
