"""What a night will be like: a programme rehearsed a thousand times before the doors open."""
