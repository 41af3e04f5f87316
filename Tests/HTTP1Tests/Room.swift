// HTTP1Tests.
