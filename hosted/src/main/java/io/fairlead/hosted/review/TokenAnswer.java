package io.fairlead.hosted.review;

import io.fairlead.hosted.TokenVerdict;
import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code status} of a TokenReview (kubernetes {@code registry/authentication/tokenreview}): whose token it is, among the
 * ServiceAccounts of the cluster. Tokens by which the gateway knows its callers are not the cluster's to tell of.
 */
final class TokenAnswer {
    private static final String INVALID = "invalid bearer token";

    private TokenAnswer() {}

    /**
     * The status.
     *
     * @throws io.fairlead.model.StatusException 400 if there is no token, 422 if there are too many audiences
     */
    static ObjectNode status(ServiceAccountTokens tokens, ObjectNode spec) {
        String token = spec.path("token").asString("");
        if (token.isEmpty()) {
            throw Refusals.badRequest("token is required for TokenReview in authentication");
        }
        List<String> audiences = Audiences.of("TokenReview", spec);
        String sent = inHeader(token);
        if (sent.isEmpty()) {
            return refused("");
        }
        return switch (tokens.verdict(sent, audiences)) {
            case TokenVerdict.Accepted accepted -> accepted(accepted);
            case TokenVerdict.Foreign _ -> refused(INVALID);
            case TokenVerdict.Refused(String why) -> refused("[" + INVALID + ", " + why + "]");
        };
    }

    /** What a server would take for the token in {@code Authorization: Bearer TOKEN}. */
    private static String inHeader(String token) {
        String[] words = ("Bearer " + token).strip().split(" ", 3);
        return words.length < 2 ? "" : words[1];
    }

    private static ObjectNode accepted(TokenVerdict.Accepted accepted) {
        UserInfo user = accepted.user();
        List<String> groups = new ArrayList<>(user.groups());
        groups.add(UserInfo.AUTHENTICATED);
        ObjectNode status = Json.object().put("authenticated", true);
        status.set("user", Identity.of(new UserInfo(user.name(), user.uid(), groups, user.extra())));
        Meta.setStrings(status, "audiences", accepted.audiences());
        return status;
    }

    private static ObjectNode refused(String error) {
        ObjectNode status = Json.object();
        status.putObject("user");
        return error.isEmpty() ? status : status.put("error", error);
    }
}
