package io.fairlead.gateway.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import io.fairlead.schema.typed.ConfigurationKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * One reading of a {@code Policy} of {@code audit.k8s.io/v1}, by kube-apiserver's rules (apiserver {@code
 * pkg/apis/audit/validation}). Unlike there, unknown and duplicate fields are refused: what is spelt wrong would otherwise
 * not be recorded.
 */
final class AuditPolicyFile {
    private static final String ALL = "*";
    private static final int RULES_MAX = 1_000;
    private static final int PROBLEMS_MAX = 20;

    private final FieldErrors errors = new FieldErrors(PROBLEMS_MAX);

    private AuditPolicyFile() {}

    static AuditPolicy read(String yaml) {
        JsonNode file = ConfigurationKind.AUDIT_POLICY.read(yaml.getBytes(UTF_8));
        AuditPolicyFile reading = new AuditPolicyFile();
        AuditPolicy policy = reading.policy(file);
        if (!reading.errors.isEmpty()) {
            throw new IllegalArgumentException(reading.errors.message());
        }
        return policy;
    }

    private AuditPolicy policy(JsonNode file) {
        Set<AuditStage> omitted = stages(file.path("omitStages"), FieldPath.of("omitStages"));
        boolean omitManagedFields = file.path("omitManagedFields").asBoolean(false);
        JsonNode list = file.path("rules");
        FieldPath path = FieldPath.of("rules");
        if (list.isEmpty()) {
            errors.required(path, "a policy without rules records nothing");
        }
        if (list.size() > RULES_MAX) {
            errors.tooMany(path, list.size(), RULES_MAX);
            list = file.path("none");
        }
        List<AuditRule> rules = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            rules.add(rule(list.get(i), path.index(i), omitted, omitManagedFields));
        }
        return new AuditPolicy(rules, new Ruling(AuditLevel.NONE, omitted, omitManagedFields));
    }

    private AuditRule rule(JsonNode one, FieldPath path, Set<AuditStage> omittedByAll, boolean omitManagedFields) {
        AuditLevel level = level(one.path("level").asString(""), path.child("level"));
        List<String> paths = paths(one.path("nonResourceURLs"), path.child("nonResourceURLs"));
        List<AuditRule.Resources> resources = resources(one.path("resources"), path.child("resources"));
        EnumSet<AuditStage> omitted = EnumSet.noneOf(AuditStage.class);
        omitted.addAll(omittedByAll);
        omitted.addAll(stages(one.path("omitStages"), path.child("omitStages")));
        Set<String> namespaces = set(one.path("namespaces"));
        if (!paths.isEmpty() && !(resources.isEmpty() && namespaces.isEmpty())) {
            errors.invalid(
                    path.child("nonResourceURLs"),
                    one.path("nonResourceURLs"),
                    "rules cannot apply to both regular resources and non-resource URLs");
        }
        return new AuditRule(
                set(one.path("users")),
                set(one.path("userGroups")),
                set(one.path("verbs")),
                resources,
                namespaces,
                paths,
                new Ruling(level, omitted, one.path("omitManagedFields").asBoolean(omitManagedFields)));
    }

    private AuditLevel level(String text, FieldPath field) {
        if (text.isEmpty()) {
            errors.required(field, "");
            return AuditLevel.NONE;
        }
        return AuditLevel.of(text).orElseGet(() -> {
            errors.notSupported(field, text, AuditLevel.TEXTS);
            return AuditLevel.NONE;
        });
    }

    private Set<AuditStage> stages(JsonNode list, FieldPath field) {
        EnumSet<AuditStage> stages = EnumSet.noneOf(AuditStage.class);
        for (int i = 0; i < list.size(); i++) {
            String text = list.get(i).asString("");
            FieldPath at = field.index(i);
            AuditStage.of(text)
                    .ifPresentOrElse(
                            stages::add,
                            () -> errors.invalid(at, text, "allowed stages are " + String.join(",", AuditStage.TEXTS)));
        }
        return stages;
    }

    private List<String> paths(JsonNode list, FieldPath field) {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            String path = list.get(i).asString("");
            if (!path.equals(ALL) && !path.startsWith("/")) {
                errors.invalid(field.index(i), path, "non-resource URL rules must begin with a '/' character");
            }
            int star = path.indexOf(ALL);
            if (star >= 0 && star < path.length() - 1) {
                errors.invalid(
                        field.index(i), path, "non-resource URL wildcards '*' must be the final character of the rule");
            }
            paths.add(path);
        }
        return paths;
    }

    private List<AuditRule.Resources> resources(JsonNode list, FieldPath field) {
        List<AuditRule.Resources> all = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode one = list.get(i);
            String group = one.path("group").asString("");
            Set<String> names = set(one.path("resourceNames"));
            FieldPath at = field.index(i);
            if (!group.isEmpty() && !group.equals(ALL)) {
                Names.dns1123Subdomain(group).forEach(why -> errors.invalid(at.child("group"), group, why));
            }
            if (!names.isEmpty() && one.path("resources").isEmpty()) {
                errors.invalid(
                        at.child("resourceNames"),
                        one.path("resourceNames"),
                        "using resourceNames requires at least one resource");
            }
            all.add(new AuditRule.Resources(group, texts(one.path("resources")), names));
        }
        return all;
    }

    private static Set<String> set(JsonNode list) {
        return new LinkedHashSet<>(texts(list));
    }

    private static List<String> texts(JsonNode list) {
        return list.values().stream().map(text -> text.asString("")).toList();
    }
}
