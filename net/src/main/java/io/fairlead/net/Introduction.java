package io.fairlead.net;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Makes sure of a server before it is sent any request: each new connection begins with one question, and takes requests only
 * once the answer was approved. A server that stands where another one stood is asked anew, since it takes a new connection to
 * reach it.
 *
 * <p>Called on event loops; never blocks.
 */
public interface Introduction {
    /** What is asked: a GET, which goes with the credential of the upstream's specification. */
    RequestHead question();

    /** How long the answer and the judgement of it may take together. */
    Duration timeout();

    /**
     * Judges an answer.
     *
     * @param body all of it, 512 KiB at most
     * @return completes, never exceptionally, with why the server is sent no request, in words; empty if it is the one that was
     *     expected
     */
    CompletionStage<Optional<String>> judge(int status, byte[] body);
}
