package io.fairlead.clustersync.fabric8;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.WholeAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One GET with a small and quick answer. */
final class Fetch {
    /**
     * The server's answer.
     *
     * @param status its code
     * @param body its body
     */
    record Answer(int status, byte[] body) {}

    private Fetch() {}

    /**
     * Sends it.
     *
     * @param target path and query
     * @param timeout until the answer must be complete
     * @return completes on an event loop, exceptionally with an {@link UpstreamException}
     */
    static CompletableFuture<Answer> get(
            Upstream upstream,
            @Nullable String bearerToken,
            String target,
            String accept,
            int bodyBytesMax,
            Duration timeout) {
        MutableFields headers = new MutableFields().set(FieldName.ACCEPT, accept);
        if (bearerToken != null) {
            headers.set(FieldName.AUTHORIZATION, "Bearer " + bearerToken);
        }
        RequestHead head = new RequestHead(HttpMethod.GET, target, headers.toFields(), 0);
        return WholeAnswer.of(upstream, head, Upstream.Kind.LIST, timeout, bodyBytesMax)
                .thenCompose(outcome -> switch (outcome) {
                    case WholeAnswer.Answered(int status, byte[] body) ->
                        CompletableFuture.completedFuture(new Answer(status, body));
                    case WholeAnswer.TooLong _ ->
                        failed(new UpstreamFailure(
                                UpstreamFailure.Kind.PROTOCOL,
                                "the answer to " + target + " has more than " + bodyBytesMax + " bytes",
                                true));
                    case WholeAnswer.Failed(UpstreamFailure failure) -> failed(failure);
                });
    }

    private static CompletableFuture<Answer> failed(UpstreamFailure failure) {
        return CompletableFuture.failedFuture(new UpstreamException(failure));
    }
}
