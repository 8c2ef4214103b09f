package io.fairlead.hosted.review;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.identity.Binding;
import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.identity.TokenObjects.Kind;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.hosted.verbs.WriteOptions;
import io.fairlead.model.GroupResource;
import io.fairlead.model.PathShape;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers TokenRequests, which ask for a token of a ServiceAccount: {@code create} of its subresource {@code token} (kubernetes
 * {@code registry/core/serviceaccount/storage/token.go}). Nothing is stored, so that a dry run gets a token too.
 *
 * <p>Threads: any; blocks.
 */
public final class TokenRequests {
    private static final String GROUP = Audiences.GROUP;
    private static final String KIND = "TokenRequest";
    private static final GroupResource ACCOUNTS = new GroupResource("", Kind.SERVICE_ACCOUNT.plural());

    /** How conflicts name it. */
    private static final GroupResource REQUESTS = new GroupResource(GROUP, KIND);

    private static final long SECONDS_DEFAULT = 60 * 60;
    private static final long SECONDS_MIN = 10 * 60;
    private static final long SECONDS_MAX = 1L << 32;

    private final ServiceAccountTokens tokens;
    private final Representations representations;

    /** For the ServiceAccounts of a cluster. */
    public TokenRequests(ServiceAccountTokens tokens, Representations representations) {
        this.tokens = tokens;
        this.representations = representations;
    }

    /**
     * Answers a request for the subresource; null for any other.
     *
     * @throws StatusException 405 for any verb except create, and for the problems of a request
     */
    public @Nullable ApiResponse answer(ApiRequest request) {
        RequestInfo info = request.info();
        boolean isOurs = info.group().isEmpty()
                && info.version().equals("v1")
                && info.resource().equals(ACCOUNTS.resource())
                && info.subresource().equals("token");
        if (!isOurs) {
            return null;
        }
        requireCreate(info);
        Representation form = representations.whole(request);
        WriteOptions.of(request, "CreateOptions");
        ReviewBody body = ReviewBody.read(request, GROUP + "/v1", KIND);
        return body.answered(request, form, () -> granted(info.namespace(), info.name(), body.object()));
    }

    private static void requireCreate(RequestInfo info) {
        PathShape shape = info.shape();
        if (!shape.inNamespace() || shape.hasPrefix() || shape.parts() != 3) {
            throw Refusals.unknownPath();
        }
        if (!info.verb().equals("create")) {
            throw Refusals.methodNotAllowed();
        }
    }

    private ObjectNode granted(String namespace, String name, ObjectNode asked) {
        String given = Meta.namespace(asked);
        if (!given.isEmpty() && !given.equals(namespace)) {
            throw Refusals.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        tokens.objects().requireOpen(namespace, name);
        requireName(name, Meta.name(asked));
        ObjectNode account = tokens.objects()
                .find(Kind.SERVICE_ACCOUNT, namespace, name)
                .orElseThrow(() -> Refusals.notFound(ACCOUNTS, name));
        requireUid(account, Meta.uid(asked));
        JsonNode spec = asked.path("spec");
        long seconds = seconds(spec);
        Instant now = tokens.now();
        JsonNode ref = spec.path("boundObjectRef");
        Binding binding = ref.isObject() ? new BoundObject(tokens.objects(), account).binding(ref) : Binding.NONE;
        List<String> audiences = Audiences.of(KIND, spec);
        String token = tokens.issue(account, binding, audiences, now, seconds);
        ObjectNode answer = Json.object().put("kind", KIND).put("apiVersion", GROUP + "/v1");
        answer.set("metadata", metadata(asked, account, now));
        answer.set("spec", spec(audiences, seconds, ref));
        answer.putObject("status").put("token", token).put("expirationTimestamp", Meta.time(now.plusSeconds(seconds)));
        return answer;
    }

    private static void requireName(String name, String given) {
        if (!given.isEmpty() && !given.equals(name)) {
            throw Refusals.invalid(
                    GROUP,
                    KIND,
                    name,
                    List.of(Causes.invalid(
                            "metadata.name", given, "must match the service account name if specified")));
        }
    }

    private static void requireUid(ObjectNode account, String given) {
        if (!given.isEmpty() && !given.equals(Meta.uid(account))) {
            throw Refusals.conflict(
                    REQUESTS,
                    Meta.name(account),
                    "the UID in the token request (" + given + ") does not match the UID of the service account ("
                            + Meta.uid(account) + ")");
        }
    }

    private static long seconds(JsonNode spec) {
        JsonNode given = spec.path("expirationSeconds");
        if (!given.isIntegralNumber()) {
            return SECONDS_DEFAULT;
        }
        FieldPath at = FieldPath.of("spec", "expirationSeconds");
        FieldErrors errors = new FieldErrors();
        if (given.longValue() < SECONDS_MIN) {
            errors.invalid(at, given, "may not specify a duration less than 10 minutes");
        }
        if (given.longValue() > SECONDS_MAX) {
            errors.invalid(at, given, "may not specify a duration larger than 2^32 seconds");
        }
        List<Status.Cause> causes = Causes.of(errors);
        if (!causes.isEmpty()) {
            throw Refusals.invalid(GROUP, KIND, "", causes);
        }
        return given.longValue();
    }

    private static ObjectNode metadata(ObjectNode asked, ObjectNode account, Instant now) {
        return Meta.of(asked)
                .deepCopy()
                .put("name", Meta.name(account))
                .put("namespace", Meta.namespace(account))
                .put("uid", Meta.uid(account))
                .put("creationTimestamp", Meta.time(now));
    }

    private static ObjectNode spec(List<String> audiences, long seconds, JsonNode ref) {
        ObjectNode spec = Json.object();
        audiences.forEach(spec.putArray("audiences")::add);
        spec.put("expirationSeconds", seconds);
        return spec.set("boundObjectRef", ref.isObject() ? ref : Json.nodes().nullNode());
    }
}
