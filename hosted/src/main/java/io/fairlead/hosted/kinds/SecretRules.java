package io.fairlead.hosted.kinds;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Secrets (kubernetes {@code core/validation}). */
final class SecretRules implements KindRules {
    private static final String OPAQUE = "Opaque";
    private static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";

    @Override
    public boolean allowsUnconditionalUpdate() {
        return true;
    }

    @Override
    public boolean qualifiesFinalizers() {
        return true;
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }

    @Override
    public Map<String, String> selectableFields() {
        return Map.of("type", "/type");
    }

    /** A certificate or a key that is none (Go's {@code tls.X509KeyPair}, as far as texts alone say it). */
    @Override
    public List<String> warnings(ObjectNode secret) {
        if (!secret.path("type").asString("").equals("kubernetes.io/tls")) {
            return List.of();
        }
        if (!hasPem(secret, "tls.crt")) {
            return List.of("tls: failed to find any PEM data in certificate input");
        }
        return hasPem(secret, "tls.key") ? List.of() : List.of("tls: failed to find any PEM data in key input");
    }

    private static boolean hasPem(ObjectNode secret, String name) {
        String base64 = secret.path("data").path(name).asString("");
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1).contains("-----BEGIN ");
    }

    @Override
    public List<Status.Cause> validateCreate(ObjectNode secret) {
        FieldErrors errors = new FieldErrors();
        check(secret, errors);
        return Causes.of(errors);
    }

    @Override
    public List<Status.Cause> validateUpdate(ObjectNode secret, ObjectNode old) {
        FieldErrors errors = new FieldErrors();
        if (!secret.path("type").equals(old.path("type"))) {
            errors.invalid(FieldPath.of("type"), secret.path("type"), "field is immutable");
        }
        DataRules.checkImmutable(secret, old, errors, "data");
        check(secret, errors);
        return Causes.of(errors);
    }

    /** Merges {@code stringData} into {@code data}, and sets the default type. */
    @Override
    public void complete(ObjectNode secret) {
        if (secret.remove("stringData") instanceof ObjectNode texts && !texts.isEmpty()) {
            ObjectNode data = secret.withObjectProperty("data");
            texts.forEachEntry((key, text) -> data.put(
                    key, Base64.getEncoder().encodeToString(text.asString("").getBytes(StandardCharsets.UTF_8))));
        }
        if (!secret.has("type")) {
            secret.put("type", OPAQUE);
        }
    }

    private static void check(ObjectNode secret, FieldErrors errors) {
        DataRules.checkKeys(secret, "data", errors);
        if (DataRules.decodedBytes(secret.path("data")) > DataRules.BYTES_MAX) {
            errors.tooLong(FieldPath.of("data"), DataRules.BYTES_MAX);
        }
        switch (secret.path("type").asString(OPAQUE)) {
            case "kubernetes.io/service-account-token" -> {
                if (Meta.annotations(secret).getOrDefault(ACCOUNT_NAME, "").isEmpty()) {
                    errors.required(FieldPath.of("metadata", "annotations").key(ACCOUNT_NAME), "");
                }
            }
            case "kubernetes.io/dockercfg" -> requireJson(secret, ".dockercfg", errors);
            case "kubernetes.io/dockerconfigjson" -> requireJson(secret, ".dockerconfigjson", errors);
            case "kubernetes.io/basic-auth" -> {
                if (!hasKey(secret, "username") && !hasKey(secret, "password")) {
                    errors.required(FieldPath.of("data").key("username"), "");
                    errors.required(FieldPath.of("data").key("password"), "");
                }
            }
            case "kubernetes.io/ssh-auth" -> require(secret, "ssh-privatekey", errors);
            case "kubernetes.io/tls" -> {
                require(secret, "tls.crt", errors);
                require(secret, "tls.key", errors);
            }
            default -> {}
        }
    }

    private static boolean hasKey(ObjectNode secret, String key) {
        return secret.path("data").has(key);
    }

    private static void require(ObjectNode secret, String key, FieldErrors errors) {
        if (!hasKey(secret, key)) {
            errors.required(FieldPath.of("data").key(key), "");
        }
    }

    private static void requireJson(ObjectNode secret, String key, FieldErrors errors) {
        require(secret, key, errors);
        JsonNode value = secret.path("data").path(key);
        if (value.isString()) {
            try {
                Json.read(Base64.getDecoder().decode(value.stringValue()));
            } catch (UnreadableDocumentException e) {
                errors.invalid(FieldPath.of("data").key(key), "<secret contents redacted>", "not valid JSON");
            }
        }
    }
}
