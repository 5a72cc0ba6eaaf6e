"""The wiring of a station as drawings, made from its settings: no pin in them can be another than
the program uses."""
