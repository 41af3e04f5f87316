// The Broker room.
