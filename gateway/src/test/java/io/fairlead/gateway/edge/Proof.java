package io.fairlead.gateway.edge;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.model.UserInfo;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ways of callers to prove who they are, and whom a cluster then knows them as. */
enum Proof {
    CERTIFICATE,
    STATIC_TOKEN,
    JWT,
    /** Of a hosted cluster. */
    SERVICE_ACCOUNT,
    FRONT_PROXY,
    /** Of the addressed cluster. */
    TOKEN_REVIEW,
    NONE;

    /** What the addressed cluster accepts; it says that its user is of system:masters, too. */
    static final String CLUSTERS_TOKEN = "token-of-the-cluster";

    /** The token that a hosted cluster issued to {@link #ROBOT}. */
    static final String ISSUED_TOKEN = SigningKey.generate()
            .sign("{\"iss\":\"https://kubernetes.default.svc.cluster.local\",\"sub\":\"system:serviceaccount:a:b\"}"
                    .getBytes(StandardCharsets.UTF_8));

    static final UserInfo ROBOT = new UserInfo(
            "system:serviceaccount:a:b",
            "u2",
            List.of("system:serviceaccounts", "system:serviceaccounts:a"),
            Map.of("example.com/pod", List.of("p")));

    /** Null if it proves nothing to the cluster. */
    @Nullable
    UserInfo user(Presentation presentation) {
        return switch (this) {
            case CERTIFICATE -> UserInfo.of("carl", List.of("dev", "system:authenticated"));
            case STATIC_TOKEN -> new UserInfo("jane", "2", List.of("dev", "ops", "system:authenticated"), Map.of());
            case JWT -> UserInfo.of("judy", List.of("dev", "system:authenticated"));
            case FRONT_PROXY -> UserInfo.of("fay", List.of("dev", "system:authenticated"));
            case TOKEN_REVIEW ->
                presentation == Presentation.AGGREGATED
                        ? null
                        : new UserInfo(
                                "system:serviceaccount:a:robot",
                                "u1",
                                List.of("system:serviceaccounts", "system:authenticated"),
                                Map.of("example.com/pod", List.of("p")));
            case SERVICE_ACCOUNT ->
                presentation == Presentation.AGGREGATED
                        ? new UserInfo(
                                ROBOT.name(),
                                ROBOT.uid(),
                                List.of("system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"),
                                ROBOT.extra())
                        : null;
            case NONE -> null;
        };
    }

    boolean isToken() {
        return this == STATIC_TOKEN || this == JWT || this == SERVICE_ACCOUNT || this == TOKEN_REVIEW;
    }
}
