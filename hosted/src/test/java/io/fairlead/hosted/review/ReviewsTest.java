package io.fairlead.hosted.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.identity.TestTokens;
import io.fairlead.hosted.rbac.PolicyCache;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.model.GroupResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers and messages follow a kube-apiserver 1.36. */
class ReviewsTest {
    /** {@code SelfSubjectAccessReview} for {@code get pods.* -n default}, as client-go encodes it. */
    private static final String SELF_ACCESS_PROTOBUF =
            "azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSPQoQCgASABoAIgAqADIAOABCABIf"
                    + "Ch0KB2RlZmF1bHQSA2dldBoBKiIAKgRwb2RzMgA6ABoICAASABoAIAAaACIA";

    private static final UserInfo JANE =
            new UserInfo("jane", "77", List.of("system:authenticated"), Map.of("foo", List.of("bar")));
    private static final InstantSource CLOCK = () -> Instant.parse("2026-11-21T06:44:16.5Z");

    private final Reviews reviews = new Reviews(
            new PolicyCache(new OneRole())::policy, TestTokens.issuer(CLOCK), new Representations(CLOCK), CLOCK);

    @ParameterizedTest
    @CsvSource({"get, default, true", "list, default, false", "get, other, false"})
    void selfAccess_isDecidedByRbac(String verb, String namespace, boolean allowed) {
        JsonNode answer = create("selfsubjectaccessreviews", "", """
            {"spec":{"resourceAttributes":{"namespace":"%s","verb":"%s","resource":"pods"}}}\
            """.formatted(namespace, verb));

        assertThat(answer.at("/status/allowed").asBoolean()).isEqualTo(allowed);
        assertThat(answer.at("/status/reason").asString(""))
                .isEqualTo(allowed ? "RBAC: allowed by RoleBinding \"rb/default\" of Role \"r\" to User \"jane\"" : "");
        assertThat(answer.path("kind").asString()).isEqualTo("SelfSubjectAccessReview");
        assertThat(answer.at("/spec/resourceAttributes/verb").asString()).isEqualTo(verb);
    }

    @Test
    void selfAccess_inProtobuf_isReadAndAnsweredInProtobuf() {
        ApiResponse answer = reviews.answer(request(
                "selfsubjectaccessreviews",
                "",
                Base64.getDecoder().decode(SELF_ACCESS_PROTOBUF),
                "application/vnd.kubernetes.protobuf",
                "application/vnd.kubernetes.protobuf,application/json",
                Map.of()));

        assertThat(answer).isInstanceOfSatisfying(ApiResponse.Whole.class, whole -> {
            assertThat(whole.contentType()).isEqualTo("application/vnd.kubernetes.protobuf");
            ObjectNode review = Protobuf.read(whole.body());
            assertThat(review.at("/spec/resourceAttributes/resource").asString())
                    .isEqualTo("pods");
            assertThat(review.path("kind").asString()).isEqualTo("SelfSubjectAccessReview");
        });
    }

    @Test
    void access_isDecidedForTheNamedSubject() {
        assertThat(create("subjectaccessreviews", "", """
            {"spec":{"user":"jane","resourceAttributes":{"namespace":"default","verb":"get","resource":"pods"}}}\
            """).at("/status/allowed").asBoolean())
                .isTrue();
        assertThat(create("subjectaccessreviews", "", """
            {"spec":{"groups":["x"],"resourceAttributes":{"namespace":"default","verb":"get","resource":"pods"}}}\
            """).at("/status/allowed").asBoolean(true))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "selfsubjectaccessreviews | '' | {\"spec\":{}} | spec.resourceAttributes: Invalid value: null: exactly"
                        + " one of nonResourceAttributes or resourceAttributes must be specified",
                "selfsubjectaccessreviews | '' | {\"spec\":{\"resourceAttributes\":{},\"nonResourceAttributes\":{}}} |"
                        + " cannot be specified in combination with resourceAttributes",
                "subjectaccessreviews | '' | {\"spec\":{\"resourceAttributes\":{}}} | spec.user: Invalid value: \"\":"
                        + " at least one of user or group must be specified",
                "localsubjectaccessreviews | ns |"
                        + " {\"spec\":{\"user\":\"u\",\"resourceAttributes\":{\"namespace\":\"x\"}}} |"
                        + " spec.resourceAttributes.namespace: Invalid value: \"x\": must match metadata.namespace",
                "localsubjectaccessreviews | ns | {\"spec\":{\"user\":\"u\",\"nonResourceAttributes\":{}}} |"
                        + " disallowed on this kind of request",
                "localsubjectaccessreviews | ns | {\"metadata\":{\"name\":\"x\"},\"spec\":{\"resourceAttributes\":"
                    + "{\"namespace\":\"other\",\"fieldSelector\":{},\"labelSelector\":{}},\"nonResourceAttributes\":{\"path\":\"/\"}}}"
                    + " | .authorization.k8s.io \"\" is invalid: [spec.nonResourceAttributes: Invalid value:"
                    + " {\"Path\":\"/\",\"Verb\":\"\"}: cannot be specified in combination with resourceAttributes,"
                    + " spec.user: Invalid value: \"\": at least one of user or group must be specified,"
                    + " spec.resourceAttributes.fieldSelector.requirements: Required value: when"
                    + " spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required,"
                    + " spec.resourceAttributes.labelSelector.requirements: Required value: when"
                    + " spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required,"
                    + " metadata: Invalid value: {\"name\":\"x\",\"namespace\":\"ns\"}: must be empty except for"
                    + " namespace, spec.resourceAttributes.namespace: Invalid value: \"other\": must match"
                    + " metadata.namespace, spec.nonResourceAttributes: Invalid value: {\"Path\":\"/\",\"Verb\":\"\"}:"
                    + " disallowed on this kind of request]",
                "selfsubjectaccessreviews | '' | {\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":"
                        + "{\"resourceAttributes\":{}}} | .authorization.k8s.io \"\" is invalid: metadata: Invalid"
                        + " value: {\"labels\":{\"a\":\"b\"}}: must be empty",
                "subjectaccessreviews | '' | {\"metadata\":{\"resourceVersion\":\"5\"},\"spec\":{\"user\":\"u\","
                        + "\"resourceAttributes\":{}}} | metadata: Invalid value: {\"resourceVersion\":\"5\"}: must be"
                        + " empty",
            })
    void contradiction_isInvalid_andToldWhole(String resource, String namespace, String body, String message) {
        Status status = refusal(resource, namespace, body, Map.of());

        assertThat(status.code()).isEqualTo(422);
        assertThat(status.message()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fieldSelector | {\"requirements\":[]} | requirements: Required value: when",
                "fieldSelector | {\"requirements\":[{\"key\":\"a\",\"operator\":\"Foo\"}],\"rawSelector\":\"a=b\"} |"
                        + " rawSelector: Invalid value: \"a=b\": may not specified at the same time as requirements",
                "fieldSelector | {\"requirements\":[{}]} | requirements[0].key: Required value: must be specified",
                "fieldSelector | {\"requirements\":[{\"key\":\"a\",\"operator\":\"NotIn\",\"values\":[]}]} |"
                        + " requirements[0].values: Required value: must be specified when `operator` is 'In' or"
                        + " 'NotIn'",
                "fieldSelector | {\"requirements\":[{\"key\":\"a\",\"operator\":\"Exists\",\"values\":[\"x\"]}]} |"
                        + " requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or"
                        + " 'DoesNotExist'",
                "labelSelector | {} | requirements: Required value: when",
                "labelSelector | {\"requirements\":[{\"key\":\"a b\",\"operator\":\"Foo\"}]} | requirements[0].key:"
                        + " Invalid value: \"a b\": name part must consist of",
                "labelSelector | {\"requirements\":[{\"key\":\"a\",\"operator\":\"In\",\"values\":[\"x y\"]}]} |"
                        + " requirements[0].values[0]: Invalid value: \"x y\": a valid label must be",
            })
    void selector_thatCannotBeMeant_isInvalid(String member, String selector, String problem) {
        Status status = refusal(
                "selfsubjectaccessreviews",
                "",
                "{\"spec\":{\"resourceAttributes\":{\"" + member + "\":" + selector + "}}}",
                Map.of());

        assertThat(status.code()).isEqualTo(422);
        assertThat(status.message()).contains("spec.resourceAttributes." + member + "." + problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"resourceAttributes\":{\"fieldSelector\":{\"rawSelector\":\"bad\"}}}",
                "{\"resourceAttributes\":{\"fieldSelector\":{\"requirements\":[{\"key\":\"a\",\"operator\":\"Foo\"}]}}}",
                "{\"resourceAttributes\":{\"labelSelector\":{\"requirements\":[{\"key\":\"a\",\"operator\":\"Foo\"}]}}}",
            })
    void selector_thatNewerServersMayKnow_isLeftToThem(String spec) {
        String metadata = "{\"namespace\":\"x\",\"uid\":\"x\",\"managedFields\":[],\"creationTimestamp\":null}";

        assertThat(create("selfsubjectaccessreviews", "", "{\"metadata\":" + metadata + ",\"spec\":" + spec + "}")
                        .path("metadata"))
                .isEmpty();
    }

    @Test
    void localReview_ofAnotherNamespace_isABadRequest() {
        assertThat(refusal(
                                "localsubjectaccessreviews",
                                "ns",
                                "{\"metadata\":{\"namespace\":\"x\"},\"spec\":{\"user\":\"u\",\"resourceAttributes\":{}}}",
                                Map.of())
                        .message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "selfsubjectaccessreviews | {\"kind\":\"Foo\",\"apiVersion\":\"v1\"} | Foo in version \"v1\" cannot be"
                        + " handled as a SelfSubjectAccessReview",
                "selfsubjectaccessreviews | {\"spec\":{\"resourceAttributes\":{\"verb\":1}}} | SelfSubjectAccessReview"
                        + " in version \"v1\" cannot be handled as a SelfSubjectAccessReview: json: cannot unmarshal"
                        + " number into Go struct field ResourceAttributes.spec.resourceAttributes.verb of type"
                        + " string",
                "selfsubjectaccessreviews | {\"spec\":[]} | SelfSubjectAccessReview in version \"v1\" cannot be handled"
                        + " as a SelfSubjectAccessReview: json: cannot unmarshal array into Go struct field"
                        + " SelfSubjectAccessReview.spec of type v1.SelfSubjectAccessReviewSpec",
                "subjectaccessreviews | {\"spec\":{\"groups\":\"x\"}} | SubjectAccessReview in version \"v1\" cannot be"
                        + " handled as a SubjectAccessReview: json: cannot unmarshal string into Go struct field"
                        + " SubjectAccessReviewSpec.spec.groups of type []string",
                "selfsubjectrulesreviews | {} | no namespace on request",
                "selfsubjectreviews | [] | the body is not an object",
            })
    void unreadable_isABadRequest(String resource, String body, String message) {
        Status status = refusal(resource, "", body, Map.of());

        assertThat(status.code()).isEqualTo(400);
        assertThat(status.message()).startsWith(message);
    }

    @Test
    void unknownField_isAWarningOrStrictlyRefused() {
        String body = "{\"spec\":{\"nonResourceAttributes\":{\"path\":\"/x\",\"verb\":\"get\",\"x\":1}}}";

        ApiResponse answer = reviews.answer(json("selfsubjectaccessreviews", "", body, Map.of()));
        assertThat(Objects.requireNonNull(answer).headers())
                .containsEntry("Warning", List.of("299 - \"unknown field \\\"spec.nonResourceAttributes.x\\\"\""));
        assertThat(refusal("selfsubjectaccessreviews", "", body, Map.of("fieldValidation", List.of("Strict")))
                        .message())
                .isEqualTo("SelfSubjectAccessReview in version \"v1\" cannot be handled as a SelfSubjectAccessReview:"
                        + " strict decoding error: unknown field \"spec.nonResourceAttributes.x\"");
    }

    @Test
    void rules_areThoseThatHoldInTheNamespace() {
        JsonNode answer = create("selfsubjectrulesreviews", "", "{\"spec\":{\"namespace\":\"default\"}}");

        assertThat(answer.path("status")).isEqualTo(Json.read("""
            {"resourceRules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}],
             "nonResourceRules":[],"incomplete":false}\
            """));
    }

    @Test
    void rules_ofSystemMasters_areEverything() {
        ApiRequest request = json("selfsubjectrulesreviews", "", "{\"spec\":{\"namespace\":\"x\"}}", Map.of());
        ApiRequest asMaster = new ApiRequest(
                request.info(),
                request.method(),
                request.query(),
                request.headers(),
                UserInfo.of("admin", List.of(UserInfo.MASTERS)),
                request.body());

        assertThat(body(reviews.answer(asMaster))
                        .at("/status/resourceRules/0/verbs/0")
                        .asString())
                .isEqualTo("*");
    }

    @Test
    void selfReview_saysWhoTheCallerIs() {
        assertThat(create("selfsubjectreviews", "", "{}")).isEqualTo(Json.read("""
            {"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1",
             "metadata":{"creationTimestamp":"2026-11-21T06:44:16Z"},
             "status":{"userInfo":{"username":"jane","uid":"77","groups":["system:authenticated"],
                                   "extra":{"foo":["bar"]}}}}\
            """));
    }

    @Test
    void otherVerbs_areNotAllowed() {
        ApiRequest list =
                new ApiRequest(info("list", "selfsubjectreviews", ""), "GET", Map.of(), Map.of(), JANE, new byte[0]);

        assertThat(catchThrowableOfType(StatusException.class, () -> reviews.answer(list))
                        .status()
                        .code())
                .isEqualTo(405);
    }

    @Test
    void table_isNotAcceptable() {
        ApiRequest request = request(
                "selfsubjectreviews",
                "",
                new byte[] {'{', '}'},
                "",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                Map.of());

        assertThat(catchThrowableOfType(StatusException.class, () -> reviews.answer(request))
                        .status()
                        .code())
                .isEqualTo(406);
    }

    @Test
    void otherMediaTypes_areUnsupported() {
        ApiRequest request = request("selfsubjectreviews", "", new byte[] {'{', '}'}, "application/cbor", "", Map.of());

        assertThat(catchThrowableOfType(StatusException.class, () -> reviews.answer(request))
                        .status()
                        .code())
                .isEqualTo(415);
    }

    @Test
    void otherResources_areNotItsOwn() {
        ApiRequest request = new ApiRequest(
                new RequestInfo(true, "/", "create", "api", "", "v1", "", "pods", "", "", ""),
                "POST",
                Map.of(),
                Map.of(),
                JANE,
                new byte[0]);

        assertThat(reviews.answer(request)).isNull();
    }

    private JsonNode create(String resource, String namespace, String body) {
        ApiResponse answer = reviews.answer(json(resource, namespace, body, Map.of()));
        assertThat(Objects.requireNonNull(answer).status()).isEqualTo(201);
        return body(answer);
    }

    private Status refusal(String resource, String namespace, String body, Map<String, List<String>> query) {
        return catchThrowableOfType(StatusException.class, () -> reviews.answer(json(resource, namespace, body, query)))
                .status();
    }

    private static JsonNode body(@Nullable ApiResponse answer) {
        return Json.read(((ApiResponse.Whole) Objects.requireNonNull(answer)).body());
    }

    private static ApiRequest json(String resource, String namespace, String body, Map<String, List<String>> query) {
        return request(resource, namespace, body.getBytes(StandardCharsets.UTF_8), "application/json", "", query);
    }

    private static ApiRequest request(
            String resource,
            String namespace,
            byte[] body,
            String contentType,
            String accept,
            Map<String, List<String>> query) {
        return new ApiRequest(
                info("create", resource, namespace),
                "POST",
                query,
                Map.of("content-type", contentType, "accept", accept),
                JANE,
                body);
    }

    private static RequestInfo info(String verb, String resource, String namespace) {
        String group = resource.equals("selfsubjectreviews") ? "authentication.k8s.io" : "authorization.k8s.io";
        return new RequestInfo(true, "/", verb, "apis", group, "v1", namespace, resource, "", "", "");
    }

    /** Jane may get pods in {@code default}. */
    private static final class OneRole implements ObjectReader {
        @Override
        public List<ObjectNode> list(GroupResource resource, String namespace) {
            return switch (resource.resource()) {
                case "roles" -> List.of(object("""
                    {"kind":"Role","metadata":{"namespace":"default","name":"r"},
                     "rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]}\
                    """));
                case "rolebindings" -> List.of(object("""
                    {"kind":"RoleBinding","metadata":{"namespace":"default","name":"rb"},
                     "roleRef":{"kind":"Role","name":"r"},"subjects":[{"kind":"User","name":"jane"}]}\
                    """));
                default -> List.of();
            };
        }

        @Override
        public @Nullable ObjectNode get(GroupResource resource, String namespace, String name) {
            return null;
        }

        @Override
        public long revision(GroupResource resource) {
            return 1;
        }

        private static ObjectNode object(String json) {
            return (ObjectNode) Json.read(json);
        }
    }
}
