package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.TwinClusters.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Answers with tokens of ServiceAccounts as texts that are equal if they mean the same. */
final class ComparedTokens {
    /** Of the kube-apiserver of tests. */
    private static final Pattern ISSUER = Pattern.compile("https://kubernetes\\.default\\.svc(?!\\.cluster)");

    private ComparedTokens() {}

    /** With the claims of tokens in their place. */
    static String text(Answer answer) {
        String body = answer.body();
        if (body.startsWith("{")) {
            JsonObject object = JsonParser.parseString(body).getAsJsonObject();
            if (object.get("metadata") instanceof JsonObject metadata) {
                metadata.remove("managedFields"); // of what is never stored
            }
            readToken(object, "status");
            readToken(object, "spec");
            body = ISSUER.matcher(object.toString()).replaceAll("https://kubernetes.default.svc.cluster.local");
        }
        return ComparedAnswers.text(ComparedAnswers.common(new Answer(answer.status(), body, answer.warnings())));
    }

    private static void readToken(JsonObject object, String member) {
        if (object.get(member) instanceof JsonObject holder
                && holder.has("token")
                && holder.get("token").getAsString().split("\\.", -1).length == 3
                && holder.get("token").getAsString().startsWith("ey")) {
            holder.add("token", claims(holder.get("token").getAsString()));
        }
    }

    /** What a token claims; of its times how long it is valid. */
    private static JsonObject claims(String token) {
        String payload = token.split("\\.", -1)[1];
        JsonObject claims = JsonParser.parseString(new String(
                        Base64.getUrlDecoder().decode(payload.getBytes(StandardCharsets.US_ASCII)),
                        StandardCharsets.UTF_8))
                .getAsJsonObject();
        if (claims.has("exp")) {
            long issued = claims.get("iat").getAsLong();
            claims.addProperty("exp", claims.get("exp").getAsLong() - issued);
            claims.addProperty("nbf", claims.get("nbf").getAsLong() - issued);
            claims.remove("iat");
        }
        return claims;
    }

    /** What a Secret with a token holds. */
    static String ofSecret(Answer answer) {
        JsonObject secret = JsonParser.parseString(answer.body()).getAsJsonObject();
        JsonObject data = secret.getAsJsonObject("data");
        data.addProperty(
                "token", claims(decoded(data.get("token").getAsString())).toString());
        assertThat(decoded(data.get("ca.crt").getAsString())).contains("BEGIN CERTIFICATE");
        data.addProperty("ca.crt", "");
        secret.getAsJsonObject("metadata").remove("managedFields");
        return ComparedAnswers.text(ComparedAnswers.common(new Answer(200, secret.toString(), List.of())));
    }

    static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    /** The names of the members; of a key not those that depend on its kind. */
    static Set<String> members(Answer answer) {
        JsonObject document = JsonParser.parseString(answer.body()).getAsJsonObject();
        Set<String> names = new TreeSet<>(document.keySet());
        if (document.get("keys") instanceof JsonArray keys) {
            names.addAll(keys.get(0).getAsJsonObject().keySet());
            names.removeAll(List.of("crv", "x", "y", "e", "n"));
        }
        return names;
    }
}
