package io.fairlead.hosted.representation;

import io.fairlead.hosted.meta.LabelSelector;
import io.fairlead.model.HumanDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Cells that more than one value makes (kubernetes {@code printers/internalversion}), by their names in {@code data-columns.yaml}. */
final class DataCells {
    static final String NONE = "<none>";
    static final String UNSET = "<unset>";
    private static final List<String> DEFAULT_CLASS = List.of(
            "storageclass.kubernetes.io/is-default-class",
            "storageclass.beta.kubernetes.io/is-default-class",
            "ingressclass.kubernetes.io/is-default-class");
    private static final String ROLE_LABEL = "node-role.kubernetes.io/";
    private static final Map<String, String> ACCESS_MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    private static final Map<String, Function<ObjectNode, String>> TEXTS = Map.ofEntries(
            Map.entry("podReady", DataCells::podReady),
            Map.entry("podStatus", DataCells::podStatus),
            Map.entry("podRestarts", DataCells::podRestarts),
            Map.entry("readinessGates", DataCells::readinessGates),
            Map.entry("nodeStatus", DataCells::nodeStatus),
            Map.entry("nodeRoles", DataCells::nodeRoles),
            Map.entry("nodeInternalAddress", node -> nodeAddress(node, "InternalIP")),
            Map.entry("nodeExternalAddress", node -> nodeAddress(node, "ExternalIP")),
            Map.entry("accessModes", volume -> accessModes(volume.at("/spec/accessModes"))),
            Map.entry("statusAccessModes", claim -> accessModes(claim.at("/status/accessModes"))),
            Map.entry("phase", DataCells::phase),
            Map.entry("claim", DataCells::claim),
            Map.entry("templateContainers", template -> containers(template.at("/template/spec"), "name")),
            Map.entry("templateImages", template -> containers(template.at("/template/spec"), "image")),
            Map.entry("templateLabels", template -> labels(template.at("/template/metadata/labels"))),
            Map.entry("containers", owner -> containers(owner.at("/spec/template/spec"), "name")),
            Map.entry("images", owner -> containers(owner.at("/spec/template/spec"), "image")),
            Map.entry("jobContainers", owner -> containers(owner.at("/spec/jobTemplate/spec/template/spec"), "name")),
            Map.entry("jobImages", owner -> containers(owner.at("/spec/jobTemplate/spec/template/spec"), "image")),
            Map.entry("selector", owner -> labels(owner.at("/spec/selector"))),
            Map.entry("jobSelector", owner -> labels(owner.at("/spec/jobTemplate/spec/selector"))),
            Map.entry("podSelector", policy -> labels(policy.at("/spec/podSelector"))),
            Map.entry("nodeSelector", set -> labels(set.at("/spec/template/spec/nodeSelector"))),
            Map.entry("readyReplicas", DataCells::readyReplicas),
            Map.entry("quotaRequests", quota -> quota(quota, false)),
            Map.entry("quotaLimits", quota -> quota(quota, true)),
            Map.entry("controller", DataCells::controller),
            Map.entry("jobStatus", DataCells::jobStatus),
            Map.entry("jobCompletions", DataCells::jobCompletions),
            Map.entry("suspended", job -> job.at("/spec/suspend").asBoolean(false) ? "True" : "False"),
            Map.entry("scaleTarget", scaler -> path(scaler.at("/spec/scaleTargetRef"), "kind", "name")),
            Map.entry("scaleMetrics", ScaleCells::targets),
            Map.entry(
                    "tokenAudiences",
                    driver -> shown(
                            driver.at("/spec/tokenRequests")
                                    .valueStream()
                                    .map(request -> request.path("audience").asString("")),
                            UNSET)),
            Map.entry("missingLevel", DataCells::missingLevel),
            Map.entry("requestedDuration", DataCells::requestedDuration),
            Map.entry("requestCondition", DataCells::requestCondition),
            Map.entry("parameterKind", policy -> orUnset(path(policy.at("/spec/paramKind"), "apiVersion", "kind"))),
            Map.entry("parameterReference", DataCells::parameterReference),
            Map.entry("claimState", DataCells::claimState),
            Map.entry("servingService", DataCells::servingService),
            Map.entry("available", DataCells::available),
            Map.entry("className", DataCells::className));

    private DataCells() {}

    static BiFunction<ObjectNode, Instant, JsonNode> of(String name) {
        return switch (name) {
            case "jobDuration" -> (job, now) -> Column.text(jobDuration(job, now));
            case "lastSchedule" -> (job, now) -> Column.text(lastSchedule(job, now));
            case "concurrencyShares" -> (level, now) -> concurrencyShares(level);
            default -> {
                Function<ObjectNode, String> ofNetwork = NetworkCells.TEXTS.get(name);
                Function<ObjectNode, String> text =
                        ofNetwork == null ? Objects.requireNonNull(TEXTS.get(name), () -> "cell " + name) : ofNetwork;
                yield (object, now) -> Column.text(text.apply(object));
            }
        };
    }

    private static String podReady(ObjectNode pod) {
        long ready = pod.at("/status/containerStatuses")
                .valueStream()
                .filter(status -> status.path("ready").asBoolean(false))
                .count();
        return ready + "/" + pod.at("/spec/containers").size();
    }

    private static String podStatus(ObjectNode pod) {
        if (pod.path("metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        String reason = text(pod, "/status/reason");
        for (JsonNode status : pod.at("/status/containerStatuses")) {
            for (String state : new String[] {"waiting", "terminated"}) {
                String why = status.path("state").path(state).path("reason").asString("");
                reason = why.isEmpty() ? reason : why;
            }
        }
        return reason.isEmpty() ? text(pod, "/status/phase") : reason;
    }

    private static String podRestarts(ObjectNode pod) {
        return Long.toString(pod.at("/status/containerStatuses")
                .valueStream()
                .mapToLong(status -> status.path("restartCount").asLong(0))
                .sum());
    }

    private static String readinessGates(ObjectNode pod) {
        JsonNode gates = pod.at("/spec/readinessGates");
        if (gates.isEmpty()) {
            return NONE;
        }
        Set<String> holding = pod.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("status").asString("").equals("True"))
                .map(condition -> condition.path("type").asString(""))
                .collect(Collectors.toSet());
        long met = gates.valueStream()
                .filter(gate -> holding.contains(gate.path("conditionType").asString("")))
                .count();
        return met + "/" + gates.size();
    }

    private static boolean hasCondition(ObjectNode object, String type) {
        return object.at("/status/conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("type").asString("").equals(type)
                        && condition.path("status").asString("").equals("True"));
    }

    private static String nodeStatus(ObjectNode node) {
        String ready = node.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals("Ready"))
                .map(condition -> condition.path("status").asString("").equals("True") ? "Ready" : "NotReady")
                .findFirst()
                .orElse("Unknown");
        return node.at("/spec/unschedulable").asBoolean(false) ? ready + ",SchedulingDisabled" : ready;
    }

    private static String nodeRoles(ObjectNode node) {
        TreeSet<String> roles = new TreeSet<>();
        node.at("/metadata/labels").forEachEntry((label, value) -> {
            if (label.startsWith(ROLE_LABEL) && label.length() > ROLE_LABEL.length()) {
                roles.add(label.substring(ROLE_LABEL.length()));
            } else if (label.equals("kubernetes.io/role") && !value.asString("").isEmpty()) {
                roles.add(value.asString(""));
            }
        });
        return shown(roles.stream(), NONE);
    }

    private static String nodeAddress(ObjectNode node, String type) {
        return node.at("/status/addresses")
                .valueStream()
                .filter(address -> address.path("type").asString("").equals(type))
                .map(address -> address.path("address").asString(""))
                .findFirst()
                .orElse(NONE);
    }

    private static String accessModes(JsonNode modes) {
        return modes.valueStream()
                .map(mode -> ACCESS_MODES.getOrDefault(mode.asString(""), ""))
                .distinct()
                .collect(Collectors.joining(","));
    }

    private static String phase(ObjectNode object) {
        return object.path("metadata").has("deletionTimestamp") ? "Terminating" : text(object, "/status/phase");
    }

    private static String claim(ObjectNode volume) {
        return path(volume.at("/spec/claimRef"), "namespace", "name");
    }

    private static String containers(JsonNode podSpec, String field) {
        return podSpec.path("containers")
                .valueStream()
                .map(container -> container.path(field).asString(""))
                .collect(Collectors.joining(","));
    }

    private static String labels(JsonNode selector) {
        String text = LabelSelector.text(selector);
        return text.isEmpty() ? NONE : text;
    }

    private static String readyReplicas(ObjectNode owner) {
        return owner.at("/status/readyReplicas").asLong(0) + "/"
                + owner.at("/spec/replicas").asLong(0);
    }

    private static String quota(ObjectNode quota, boolean limits) {
        JsonNode hard = quota.at("/status/hard");
        return hard.propertyNames().stream()
                .sorted()
                .filter(name -> name.startsWith("limits") == limits)
                .map(name -> name + ": " + quota.at("/status/used").path(name).asString("0") + "/"
                        + hard.path(name).asString(""))
                .collect(Collectors.joining(", "));
    }

    private static String controller(ObjectNode revision) {
        return revision.at("/metadata/ownerReferences")
                .valueStream()
                .filter(owner -> owner.path("controller").asBoolean(false))
                .map(owner -> {
                    String version = owner.path("apiVersion").asString("");
                    String group = version.contains("/") ? "." + version.substring(0, version.indexOf('/')) : "";
                    return owner.path("kind").asString("").toLowerCase(Locale.ROOT) + group + "/"
                            + owner.path("name").asString("");
                })
                .findFirst()
                .orElse(NONE);
    }

    private static String jobStatus(ObjectNode job) {
        if (hasCondition(job, "Complete")) {
            return "Complete";
        }
        if (hasCondition(job, "Failed")) {
            return "Failed";
        }
        if (job.path("metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        if (hasCondition(job, "Suspended")) {
            return "Suspended";
        }
        return hasCondition(job, "FailureTarget")
                ? "FailureTarget"
                : hasCondition(job, "SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
    }

    private static String jobCompletions(ObjectNode job) {
        long succeeded = job.at("/status/succeeded").asLong(0);
        if (!job.at("/spec/completions").isMissingNode()) {
            return succeeded + "/" + job.at("/spec/completions").asLong(0);
        }
        long parallel = job.at("/spec/parallelism").asLong(0);
        return parallel > 1 ? succeeded + "/1 of " + parallel : succeeded + "/1";
    }

    private static String jobDuration(ObjectNode job, Instant now) {
        try {
            String start = text(job, "/status/startTime");
            if (start.isEmpty()) {
                return "";
            }
            String end = text(job, "/status/completionTime");
            Instant until = end.isEmpty() ? now : OffsetDateTime.parse(end).toInstant();
            return HumanDuration.of(Duration.between(OffsetDateTime.parse(start).toInstant(), until));
        } catch (DateTimeException | ArithmeticException e) {
            return "<invalid>";
        }
    }

    private static String lastSchedule(ObjectNode job, Instant now) {
        String last = text(job, "/status/lastScheduleTime");
        return last.isEmpty() ? NONE : Column.sinceText(last, now);
    }

    /** A class says by an annotation that it is the default one. */
    private static String className(ObjectNode kind) {
        JsonNode annotations = kind.at("/metadata/annotations");
        boolean isDefault = DEFAULT_CLASS.stream()
                .anyMatch(key -> annotations.path(key).asString("").equals("true"));
        return kind.at("/metadata/name").asString("") + (isDefault ? " (default)" : "");
    }

    private static String missingLevel(ObjectNode schema) {
        return schema.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals("Dangling"))
                .map(condition -> condition.path("status").asString(""))
                .findFirst()
                .orElse("?");
    }

    private static JsonNode concurrencyShares(ObjectNode level) {
        JsonNode shares = level.at("/spec/limited/nominalConcurrencyShares");
        return shares.isMissingNode() ? Column.text(NONE) : shares;
    }

    private static String requestedDuration(ObjectNode request) {
        JsonNode seconds = request.at("/spec/expirationSeconds");
        return seconds.isMissingNode() ? NONE : HumanDuration.of(Duration.ofSeconds(seconds.asLong(0)));
    }

    private static String requestCondition(ObjectNode request) {
        String conditions = Stream.of("Approved", "Denied", "Failed")
                .filter(type -> request.at("/status/conditions")
                        .valueStream()
                        .anyMatch(
                                condition -> condition.path("type").asString("").equals(type)))
                .collect(Collectors.joining(","));
        String issued = text(request, "/status/certificate").isEmpty() ? "" : ",Issued";
        return conditions.isEmpty() ? "Pending" : conditions + issued;
    }

    private static String parameterReference(ObjectNode binding) {
        JsonNode reference = binding.at("/spec/paramRef");
        return reference.isMissingNode() ? UNSET : orUnset(path(reference, "namespace", "name"));
    }

    private static String claimState(ObjectNode claim) {
        if (claim.path("metadata").has("deletionTimestamp")) {
            return claim.at("/status/allocation").isMissingNode() ? "deleted" : "deleted,allocated";
        }
        JsonNode status = claim.path("status");
        return status.has("allocation")
                ? "allocated" + (status.path("reservedFor").isEmpty() ? "" : ",reserved")
                : "pending";
    }

    private static String servingService(ObjectNode registration) {
        JsonNode service = registration.at("/spec/service");
        return service.isObject() ? path(service, "namespace", "name") : "Local";
    }

    private static String available(ObjectNode registration) {
        for (JsonNode condition : registration.at("/status/conditions")) {
            if (condition.path("type").asString("").equals("Available")) {
                String status = condition.path("status").asString("");
                return status.equals("True")
                        ? status
                        : status + " (" + condition.path("reason").asString("") + ")";
            }
        }
        return "Unknown";
    }

    private static String path(JsonNode object, String first, String second) {
        String one = object.path(first).asString("");
        String other = object.path(second).asString("");
        return one.isEmpty() ? other : one + "/" + other;
    }

    private static String orUnset(String text) {
        return text.isEmpty() ? UNSET : text;
    }

    static String shown(Stream<String> texts, String otherwise) {
        String joined = texts.collect(Collectors.joining(","));
        return joined.isEmpty() ? otherwise : joined;
    }

    static String text(ObjectNode object, String pointer) {
        return object.at(pointer).asString("");
    }
}
