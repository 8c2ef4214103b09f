package io.fairlead.fleet.exclusive;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * A rule makes Fairlead read objects with its own credential, and show where keys meet. So it may read no more than the user
 * who wrote the rule, and that user must be known when the rule is in force, also after a restart. As with
 * CertificateSigningRequests the server notes the user, and no client can.
 */
/** The user who last wrote what a rule asks for, in an annotation that only Fairlead writes. */
final class Author {
    static final String ANNOTATION = "fairlead.io/author";

    private Author() {}

    /**
     * Notes the user of a write that changes the rule; of any other one, keeps what is noted.
     *
     * @throws StatusException 403 for a user whom this cluster alone knows, as one who is impersonated in it: the rule would have
     *     the rights of their namesake in all others. A ServiceAccount has none there.
     */
    static void record(AdmissionHook.Review review) {
        ObjectNode object = review.object();
        if (object == null || !review.subresource().isEmpty()) {
            return;
        }
        ObjectNode old = review.old();
        String author;
        if (old != null && old.path("spec").equals(object.path("spec"))) {
            author = text(old);
        } else {
            requireKnownElsewhere(review);
            author = written(review.user());
        }
        ObjectNode metadata = object.withObjectProperty("metadata");
        if (author.isEmpty()) {
            metadata.withObjectProperty("annotations").remove(ANNOTATION);
        } else {
            metadata.withObjectProperty("annotations").put(ANNOTATION, author);
        }
    }

    private static void requireKnownElsewhere(AdmissionHook.Review review) {
        UserInfo user = review.user();
        if (!review.isUserEverywhere() && !AuthorRights.isServiceAccount(user)) {
            throw new StatusException(Status.of(
                    403,
                    "Forbidden",
                    review.type().groupResource() + " \"" + review.name() + "\" is forbidden: user \"" + user.name()
                            + "\" is known in this cluster alone (expected a user of the gateway, not one who is"
                            + " impersonated: the rule has its author's rights in every cluster)"));
        }
    }

    /** The user who wrote a rule. */
    static Optional<UserInfo> of(JsonNode object) {
        try {
            JsonNode user = Json.read(text(object).getBytes(StandardCharsets.UTF_8));
            Map<String, List<String>> extra = new HashMap<>();
            user.path("extra").properties().forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
            return Optional.of(new UserInfo(
                    user.path("username").asString(""),
                    user.path("uid").asString(""),
                    texts(user.path("groups")),
                    extra));
        } catch (UnreadableDocumentException none) {
            return Optional.empty();
        }
    }

    private static String text(JsonNode object) {
        return object.path("metadata").path("annotations").path(ANNOTATION).asString("");
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.values().forEach(text -> texts.add(text.asString("")));
        return texts;
    }

    private static String written(UserInfo user) {
        ObjectNode written = Json.object().put("username", user.name());
        if (!user.uid().isEmpty()) {
            written.put("uid", user.uid());
        }
        ArrayNode groups = written.putArray("groups");
        user.groups().forEach(groups::add);
        if (!user.extra().isEmpty()) {
            ObjectNode extra = written.putObject("extra");
            user.extra().forEach((key, values) -> values.forEach(extra.withArrayProperty(key)::add));
        }
        return new String(Json.write(written), StandardCharsets.UTF_8);
    }
}
