package io.fairlead.fleet.informers;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.OwnUser;
import io.fairlead.model.QueryParameters;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Calls to a hosted cluster, with all rights. */
final class HostedCalls implements ClusterCalls {
    private static final UserInfo SELF = OwnUser.of("fleet");
    private static final Map<String, String> HEADERS =
            Map.of("accept", "application/json", "content-type", "application/json", "user-agent", "fairlead");

    private final HostedCluster cluster;
    private final int documentBytesMax;

    /** @param documentBytesMax of an answer that is read */
    HostedCalls(HostedCluster cluster, int documentBytesMax) {
        this.cluster = cluster;
        this.documentBytesMax = documentBytesMax;
    }

    @Override
    public Document ask(String target) {
        return new Document() {
            @Override
            public byte[] read() throws CallFailure, InterruptedException {
                return whole(serve("GET", target, null), documentBytesMax);
            }

            @Override
            public void close() {
                // Nothing was asked for before it is read.
            }
        };
    }

    @Override
    public byte[] read(String target, int bytesMax) throws CallFailure, InterruptedException {
        return whole(serve("GET", target, null), bytesMax);
    }

    private byte[] whole(ApiResponse answer, int bytesMax) throws CallFailure, InterruptedException {
        Optional<byte[]> whole = switch (answer) {
            case ApiResponse.Whole one -> Optional.of(one.body()).filter(body -> body.length <= bytesMax);
            case ApiResponse.Pieces pieces -> pieces.join(bytesMax);
            case ApiResponse.Stream stream -> {
                stream.discard();
                throw new CallFailure(0, "UnexpectedAnswer", "a stream answers instead of a document");
            }
        };
        return whole.orElseThrow(() -> CallFailure.tooLarge("an answer", bytesMax));
    }

    @Override
    public void post(String target, ObjectNode object) throws CallFailure {
        serve("POST", target, object).discard();
    }

    @Override
    public void replace(String target, ObjectNode object) throws CallFailure {
        serve("PUT", target, object).discard();
    }

    @Override
    public void delete(String target, ObjectNode options) throws CallFailure {
        serve("DELETE", target, options).discard();
    }

    @Override
    public ObjectNode review(ObjectNode subjectAccessReview) throws CallFailure, InterruptedException {
        if (Json.read(whole(serve("POST", AttachedCalls.REVIEWS, subjectAccessReview), documentBytesMax))
                instanceof ObjectNode answer) {
            return answer;
        }
        throw new CallFailure(0, "UnexpectedAnswer", "no object answers a review");
    }

    @Override
    public Lines watch(String target) throws CallFailure {
        if (!(serve("GET", target, null) instanceof ApiResponse.Stream stream)) {
            throw new CallFailure(0, "UnexpectedAnswer", "no stream answers a watch");
        }
        ApiResponse.Frames frames = stream.frames();
        return new Lines() {
            @Override
            public byte @Nullable [] next() throws InterruptedException {
                return frames.next();
            }

            @Override
            public void close() {
                frames.close();
            }
        };
    }

    private ApiResponse serve(String method, String target, @Nullable ObjectNode object) throws CallFailure {
        try {
            return served(method, target, object);
        } catch (StatusException noSuchPath) {
            throw new CallFailure(
                    noSuchPath.status().code(),
                    noSuchPath.status().reason(),
                    noSuchPath.status().message());
        }
    }

    private ApiResponse served(String method, String target, @Nullable ObjectNode object) throws CallFailure {
        ApiResponse answer = serve(cluster.baseHandler(), method, target, object);
        if (answer.status() == 404) {
            answer = custom(method, target, object).orElse(answer);
        }
        if (answer.status() >= 300) {
            throw failure(answer);
        }
        return answer;
    }

    /** The answer of a definition; empty if there is none. */
    private Optional<ApiResponse> custom(String method, String target, @Nullable ObjectNode object) {
        try {
            return Optional.of(serve(cluster.crdRuntime(), method, target, object));
        } catch (DefinitionChangedException none) {
            return Optional.empty();
        }
    }

    private static ApiResponse serve(
            HostedCluster.Handler handler, String method, String target, @Nullable ObjectNode object) {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String query = mark < 0 ? "" : target.substring(mark + 1);
        return handler.serve(new ApiRequest(
                RequestInfoParser.parse(method, path, query),
                method,
                QueryParameters.of(query).all(),
                HEADERS,
                SELF,
                object == null ? new byte[0] : Json.write(object)));
    }

    private static CallFailure failure(ApiResponse answer) {
        if (answer instanceof ApiResponse.Whole whole) {
            JsonNode status = Json.read(whole.body());
            return new CallFailure(
                    whole.status(),
                    status.path("reason").asString("UnexpectedAnswer"),
                    status.path("message").asString("it answers " + whole.status()));
        }
        answer.discard();
        return new CallFailure(answer.status(), "UnexpectedAnswer", "it answers " + answer.status());
    }
}
