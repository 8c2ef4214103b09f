package io.fairlead.gateway.edge;

import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ways of callers to prove who they are, and whom an attached cluster then knows them as. */
enum Proof {
    CERTIFICATE,
    STATIC_TOKEN,
    JWT,
    /** Of a hosted cluster, at an attached one. */
    SERVICE_ACCOUNT,
    FRONT_PROXY,
    /** Of the addressed cluster. */
    TOKEN_REVIEW,
    NONE;

    /** What the addressed cluster accepts; it says that its user is of system:masters, too. */
    static final String CLUSTERS_TOKEN = "token-of-the-cluster";

    /** Null if it proves nothing. */
    @Nullable
    UserInfo user() {
        return switch (this) {
            case CERTIFICATE -> UserInfo.of("carl", List.of("dev", "system:authenticated"));
            case STATIC_TOKEN -> new UserInfo("jane", "2", List.of("dev", "ops", "system:authenticated"), Map.of());
            case JWT -> UserInfo.of("judy", List.of("dev", "system:authenticated"));
            case FRONT_PROXY -> UserInfo.of("fay", List.of("dev", "system:authenticated"));
            case TOKEN_REVIEW ->
                new UserInfo(
                        "system:serviceaccount:a:robot",
                        "u1",
                        List.of("system:serviceaccounts", "system:authenticated"),
                        Map.of("example.com/pod", List.of("p")));
            case SERVICE_ACCOUNT, NONE -> null;
        };
    }

    boolean isToken() {
        return this == STATIC_TOKEN || this == JWT || this == SERVICE_ACCOUNT || this == TOKEN_REVIEW;
    }
}
