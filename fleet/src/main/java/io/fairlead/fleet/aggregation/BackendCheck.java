package io.fairlead.fleet.aggregation;

import io.fairlead.clustersync.DocumentRequest;
import io.fairlead.clustersync.DocumentRequest.Outcome;
import io.fairlead.fleet.UpstreamIdentity.RequestHeader;
import io.fairlead.hosted.ApiService;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.UserInfo;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Asks a backend for what its APIService promises, as kube-aggregator does (remote availability and discovery controllers): as the
 * user {@code system:kube-aggregator}, over the connections of its callers, so that its certificate is verified like theirs. A
 * redirect is not followed.
 *
 * <p>Threads: virtual ones; calls block.
 */
final class BackendCheck {
    /** As long as kube-aggregator waits for one answer. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** For all of them. */
    private static final Duration TIME_MAX = Duration.ofSeconds(10);

    private static final int DOCUMENT_BYTES_MAX = 1 << 20;

    /** Of what discovery shows of one version, which is kept. */
    private static final int RESOURCES_BYTES_MAX = 64 << 10;

    private static final int ATTEMPTS_MAX = 3;
    private static final String JSON = "application/json";
    private static final String AGGREGATED =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," + JSON;
    private static final Pattern HASH = Pattern.compile("[?&]hash=([0-9A-Za-z]{1,128})(&|$)");

    private final Upstream upstream;
    private final GroupVersion version;
    private final int attempts;
    private final LongSupplier nanoTime;
    private final long beganNanos;

    /** @param endpoints how many addresses there are, one of which has to answer */
    BackendCheck(Upstream upstream, ApiService service, int endpoints, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.beganNanos = nanoTime.getAsLong();
        this.upstream = upstream;
        this.version = service.groupVersion();
        this.attempts = Math.clamp(endpoints, 1, ATTEMPTS_MAX);
    }

    /**
     * What a backend said.
     *
     * @param problem why it is not available; empty if it is
     * @param resources as in {@link io.fairlead.hosted.AggregatedVersion}; empty if its discovery cannot be read
     * @param openApi as there
     */
    record Said(String problem, Optional<List<JsonNode>> resources, String openApi) {
        static Said failing(String problem) {
            return new Said(problem, Optional.empty(), "");
        }
    }

    Said ask() throws InterruptedException {
        String problem = "";
        for (int i = 0; i < attempts; i++) {
            switch (get(version.path(), JSON)) {
                case Outcome.Failed(var failure) ->
                    problem = "failing or missing response from " + version.path() + ": " + failure.message();
                case Outcome.Answered(int status, JsonNode list)
                when isSuccess(status) -> {
                    return new Said("", resources(list).map(BackendCheck::bounded), openApi());
                }
                case Outcome.Answered(int status, JsonNode _) ->
                    problem = "failing or missing response from " + version.path() + ": bad status from "
                            + version.path() + ": " + status;
            }
        }
        return Said.failing(problem);
    }

    /** By the backend's aggregated discovery if it has that. */
    private Optional<List<JsonNode>> resources(JsonNode list) throws InterruptedException {
        if (get("/apis", AGGREGATED) instanceof Outcome.Answered(int status, JsonNode document)
                && isSuccess(status)
                && document.path("kind").asString("").equals("APIGroupDiscoveryList")) {
            for (JsonNode group : document.path("items")) {
                if (group.at("/metadata/name").asString("").equals(version.group())) {
                    return Optional.of(ofVersion(group.path("versions")));
                }
            }
            return Optional.empty();
        }
        boolean isList = list.path("kind").asString("").equals("APIResourceList")
                && list.path("groupVersion").asString("").equals(version.apiVersion());
        return isList ? Optional.of(LegacyResources.of(list)) : Optional.empty();
    }

    private List<JsonNode> ofVersion(JsonNode versions) {
        return versions.valueStream()
                .filter(each -> each.path("version").asString("").equals(version.version()))
                .flatMap(each -> each.path("resources").valueStream())
                .filter(JsonNode::isObject)
                .toList();
    }

    private String openApi() throws InterruptedException {
        if (get("/openapi/v3", JSON) instanceof Outcome.Answered(int status, JsonNode index) && isSuccess(status)) {
            String url = index.path("paths")
                    .path(version.path().substring(1))
                    .path("serverRelativeURL")
                    .asString("");
            Matcher hash = HASH.matcher(url);
            return hash.find() ? hash.group(1) : "";
        }
        return "";
    }

    private static List<JsonNode> bounded(List<JsonNode> resources) {
        List<JsonNode> kept = new ArrayList<>();
        int bytes = 0;
        for (JsonNode resource : resources) {
            bytes += Json.write(resource).length;
            if (bytes > RESOURCES_BYTES_MAX) {
                break;
            }
            kept.add(resource);
        }
        return kept;
    }

    private Outcome get(String path, String accept) throws InterruptedException {
        MutableFields headers = new MutableFields()
                .add(FieldName.ACCEPT, accept)
                .add(RequestHeader.PREFIX + "User", "system:kube-aggregator")
                .add(RequestHeader.PREFIX + "Group", UserInfo.MASTERS);
        RequestHead head = new RequestHead(HttpMethod.GET, path, headers.toFields(), 0);
        return DocumentRequest.await(upstream, head, patience(), DOCUMENT_BYTES_MAX);
    }

    private Duration patience() {
        Duration left = TIME_MAX.minusNanos(nanoTime.getAsLong() - beganNanos);
        return left.compareTo(TIMEOUT) < 0 ? left.isNegative() ? Duration.ZERO : left : TIMEOUT;
    }

    private static boolean isSuccess(int status) {
        return status >= 200 && status < 300;
    }
}
