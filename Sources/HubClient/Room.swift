// The HubClient room.
