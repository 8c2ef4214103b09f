package io.fairlead.hosted.review;

import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A user as reviews show one (authentication.k8s.io/v1 {@code UserInfo}). */
final class Identity {
    private Identity() {}

    /** The {@code status} of a SelfSubjectReview: the caller's identity. */
    static ObjectNode status(UserInfo user) {
        return Json.object().set("userInfo", of(user));
    }

    static ObjectNode of(UserInfo user) {
        ObjectNode info = Json.object().put("username", user.name());
        if (!user.uid().isEmpty()) {
            info.put("uid", user.uid());
        }
        if (!user.groups().isEmpty()) {
            user.groups().forEach(info.putArray("groups")::add);
        }
        if (!user.extra().isEmpty()) {
            ObjectNode extra = info.putObject("extra");
            new TreeMap<>(user.extra()).forEach((key, values) -> {
                ArrayNode array = extra.putArray(key);
                values.forEach(array::add);
            });
        }
        return info;
    }
}
