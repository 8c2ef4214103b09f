package io.fairlead.gateway.listen;

import io.fairlead.model.Status;

/** Answers requests. Called on event loops; never blocks and never throws. */
public interface RequestHandler {
    void handle(Received request, ClientStream client);

    /** Input was refused before it was a request. */
    void refused(Peer peer, Status status);
}
