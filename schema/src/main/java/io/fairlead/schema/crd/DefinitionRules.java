package io.fairlead.schema.crd;

import io.fairlead.schema.crd.CustomResourceDefinition.Names;
import io.fairlead.schema.crd.CustomResourceDefinition.Version;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.NameRule;
import io.fairlead.schema.meta.ObjectMetadata;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Validates a CustomResourceDefinition (apiextensions {@code validation.go}).
 *
 * <p>As there, problems common to all versions are reported at the field of {@code v1beta1}: {@code spec.validation}
 * instead of {@code spec.versions[0].schema}, and the first version is {@code spec.version} too.
 */
public final class DefinitionRules {
    /** How many versions a definition may have. */
    public static final int VERSIONS_MAX = 10_000;

    private static final FieldPath METADATA = FieldPath.of("metadata");
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final FieldPath STATUS = FieldPath.of("status");

    private final CustomResourceDefinition definition;
    private final FieldErrors errors;

    private DefinitionRules(CustomResourceDefinition definition, FieldErrors errors) {
        this.definition = definition;
        this.errors = errors;
    }

    /** The rules for a new definition; its status must already name the stored versions. */
    public static FieldErrors forCreate(CustomResourceDefinition definition) {
        String expected = definition.names().plural() + "." + definition.group();
        NameRule rule = (name, prefix) -> {
            List<String> problems = new ArrayList<>(NameRule.DNS_SUBDOMAIN.problems(name, prefix));
            if (!name.equals(expected)) {
                problems.add("must be spec.names.plural+\".\"+spec.group");
            }
            return problems;
        };
        FieldErrors errors = ObjectMetadata.forCreate(definition.tree().path("metadata"), false, rule, METADATA);
        DefinitionRules rules = new DefinitionRules(definition, errors);
        rules.spec();
        rules.status();
        ApprovalRule.forCreate(definition, errors);
        rules.preserveUnknownFields();
        return errors;
    }

    /** The rules for a definition that replaces {@code old}. */
    public static FieldErrors forUpdate(CustomResourceDefinition definition, CustomResourceDefinition old) {
        FieldErrors errors = ObjectMetadata.forUpdate(
                definition.tree().path("metadata"), old.tree().path("metadata"), METADATA);
        DefinitionRules rules = new DefinitionRules(definition, errors);
        rules.spec();
        rules.trust(old);
        rules.immutable(old);
        rules.status();
        ApprovalRule.forUpdate(definition, old, errors);
        rules.preserveUnknownFields();
        return errors;
    }

    /** The rules for a status that replaces that of {@code old}. */
    public static FieldErrors forStatusUpdate(CustomResourceDefinition definition, CustomResourceDefinition old) {
        FieldErrors errors = ObjectMetadata.forUpdate(
                definition.tree().path("metadata"), old.tree().path("metadata"), METADATA);
        new DefinitionRules(definition, errors)
                .names(definition.status().acceptedNames(), STATUS.child("acceptedNames"));
        return errors;
    }

    private void spec() {
        group();
        choice(definition.scope(), List.of("Cluster", "Namespaced"), SPEC.child("scope"));
        if (definition.versions().size() > VERSIONS_MAX) {
            errors.tooMany(SPEC.child("versions"), definition.versions().size(), VERSIONS_MAX);
            return;
        }
        schemasGiven();
        versions();
        if (!definition.versions().isEmpty()) {
            labelIfGiven(definition.versions().getFirst().name(), SPEC.child("version"));
        }
        namesGiven();
        names(definition.names(), SPEC.child("names"));
        new VersionRules(definition, errors).common();
        conversion();
    }

    private void group() {
        String group = definition.group();
        FieldPath path = SPEC.child("group");
        List<String> problems = io.fairlead.schema.meta.Names.dns1123Subdomain(group);
        if (group.isEmpty()) {
            errors.required(path, "");
        } else if (!problems.isEmpty()) {
            errors.invalid(path, group, String.join(",", problems));
        } else if (!group.contains(".")) {
            errors.invalid(path, group, "should be a domain with at least one dot");
        }
    }

    private void choice(String value, List<String> accepted, FieldPath path) {
        if (value.isEmpty()) {
            errors.required(path, "");
        } else if (!accepted.contains(value)) {
            errors.notSupported(path, value, accepted);
        }
    }

    private void schemasGiven() {
        for (int i = 0; i < definition.versions().size(); i++) {
            if (definition.versions().get(i).schema() == null) {
                errors.required(SPEC.child("versions").index(i).child("schema").child("openAPIV3Schema"), "");
            }
        }
    }

    private void versions() {
        FieldPath path = SPEC.child("versions");
        VersionRules rules = new VersionRules(definition, errors);
        Set<String> seen = new HashSet<>();
        boolean unique = true;
        int storage = 0;
        for (int i = 0; i < definition.versions().size(); i++) {
            Version version = definition.versions().get(i);
            storage += version.storage() ? 1 : 0;
            unique &= seen.add(version.name());
            label(version.name(), path.index(i).child("name"));
            rules.own(version, path.index(i));
        }
        JsonNode shown = definition.tree().path("spec").path("versions");
        if (!unique) {
            errors.invalid(path, shown, "must contain unique version names");
        }
        if (storage != 1) {
            errors.invalid(path, shown, "must have exactly one version marked as storage version");
        }
    }

    private void namesGiven() {
        Names names = definition.names();
        FieldPath path = SPEC.child("names");
        required(names.plural(), path.child("plural"));
        required(names.singular(), path.child("singular"));
        required(names.kind(), path.child("kind"));
        required(names.listKind(), path.child("listKind"));
    }

    private void required(String value, FieldPath path) {
        if (value.isEmpty()) {
            errors.required(path, "");
        }
    }

    private void names(Names names, FieldPath path) {
        labelIfGiven(names.plural(), path.child("plural"));
        labelIfGiven(names.singular(), path.child("singular"));
        mixedCaseIfGiven(names.kind(), path.child("kind"));
        mixedCaseIfGiven(names.listKind(), path.child("listKind"));
        labels(names.shortNames(), path.child("shortNames"));
        if (!names.kind().isEmpty() && names.kind().equals(names.listKind())) {
            errors.invalid(path.child("listKind"), names.listKind(), "kind and listKind may not be the same");
        }
        labels(names.categories(), path.child("categories"));
    }

    private void labels(List<String> values, FieldPath path) {
        for (int i = 0; i < values.size(); i++) {
            label(values.get(i), path.index(i));
        }
    }

    private void labelIfGiven(String value, FieldPath path) {
        if (!value.isEmpty()) {
            label(value, path);
        }
    }

    private void label(String value, FieldPath path) {
        List<String> problems = io.fairlead.schema.meta.Names.dns1035Label(value);
        if (!problems.isEmpty()) {
            errors.invalid(path, value, String.join(",", problems));
        }
    }

    private void mixedCaseIfGiven(String value, FieldPath path) {
        List<String> problems = io.fairlead.schema.meta.Names.dns1035Label(value.toLowerCase(Locale.ROOT));
        if (!value.isEmpty() && !problems.isEmpty()) {
            errors.invalid(
                    path, value, "may have mixed case, but should otherwise match: " + String.join(",", problems));
        }
    }

    private void conversion() {
        FieldPath path = SPEC.child("conversion");
        String strategy = definition.conversionStrategy();
        choice(strategy, List.of("None", "Webhook"), path.child("strategy"));
        JsonNode webhook = definition.tree().path("spec").path("conversion").path("webhook");
        if (strategy.equals("Webhook")) {
            if (definition.tree().path("spec").path("preserveUnknownFields").asBoolean(false)) {
                errors.invalid(path.child("strategy"), strategy, "must be None if spec.preserveUnknownFields is true");
            }
            WebhookRules.check(webhook, path, errors);
            return;
        }
        String onlyWebhook = "should not be set when strategy is not set to Webhook";
        if (webhook.has("clientConfig")) {
            errors.forbidden(path.child("webhookClientConfig"), onlyWebhook);
        }
        if (!webhook.path("conversionReviewVersions").isEmpty()) {
            errors.forbidden(path.child("conversionReviewVersions"), onlyWebhook);
        }
    }

    /** Certificates that can be read are not replaced by what cannot be. */
    private void trust(CustomResourceDefinition old) {
        String problem = TrustedCertificates.problem(definition);
        if (!problem.isEmpty() && TrustedCertificates.areReadable(old)) {
            errors.invalid(
                    SPEC.child("conversion").child("webhookClientConfig").child("caBundle"),
                    TrustedCertificates.text(definition),
                    "unable to load root certificates: " + problem);
        }
    }

    private void immutable(CustomResourceDefinition old) {
        if (old.status().established()) {
            same(definition.scope(), old.scope(), SPEC.child("scope"));
            same(definition.names().kind(), old.names().kind(), FieldPath.of("spec", "names", "kind"));
        }
        same(definition.group(), old.group(), SPEC.child("group"));
        same(definition.names().plural(), old.names().plural(), FieldPath.of("spec", "names", "plural"));
    }

    private void same(String value, String old, FieldPath path) {
        if (!value.equals(old)) {
            errors.invalid(path, value, "field is immutable");
        }
    }

    private void status() {
        names(definition.status().acceptedNames(), STATUS.child("acceptedNames"));
        storedVersions(definition.status().storedVersions(), STATUS.child("storedVersions"));
    }

    private void storedVersions(List<String> stored, FieldPath path) {
        ArrayNode shown = Json.array();
        stored.forEach(shown::add);
        if (stored.isEmpty()) {
            errors.invalid(path, Json.nodes().nullNode(), "must have at least one stored version");
            return;
        }
        for (Version version : definition.versions()) {
            if (version.storage() && !stored.contains(version.name())) {
                errors.invalid(path, shown, "must have the storage version " + version.name());
            }
        }
        for (int i = 0; i < stored.size(); i++) {
            String name = stored.get(i);
            if (definition.version(name).isEmpty()) {
                errors.invalid(
                        path.index(i),
                        name,
                        "missing from spec.versions; " + name + " was previously a storage version, and must remain in"
                                + " spec.versions until a storage migration ensures no data remains persisted in "
                                + name
                                + " and removes " + name + " from status.storedVersions");
            }
        }
    }

    private void preserveUnknownFields() {
        JsonNode preserve = definition.tree().path("spec").path("preserveUnknownFields");
        if (preserve.asBoolean(false)) {
            errors.invalid(
                    SPEC.child("preserveUnknownFields"),
                    preserve,
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
                            + " spec.versions[*].schema instead");
        }
    }
}
