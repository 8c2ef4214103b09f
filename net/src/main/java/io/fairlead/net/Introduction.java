package io.fairlead.net;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Verifies a server before any request: each new connection begins with one GET, and takes requests only once the
 * answer is approved. A server that replaces another one is verified too, since it takes a new connection to reach it.
 *
 * <p>Called on event loops; never blocks.
 */
public interface Introduction {
    /** The GET's target; sent with the credential of the upstream's specification. */
    RequestHead question();

    /** The timeout of answer and verdict together. */
    Duration timeout();

    /**
     * Judges an answer.
     *
     * @param body all of it, at most 512 KiB
     * @return completes, never exceptionally, with the reason for rejecting the server; empty if it is the expected one
     */
    CompletionStage<Optional<String>> judge(int status, byte[] body);
}
