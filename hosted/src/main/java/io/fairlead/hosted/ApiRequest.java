package io.fairlead.hosted;

import io.fairlead.model.CallerName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One authorised request to a hosted cluster.
 *
 * @param info what it asks for
 * @param method the HTTP method, since several map to one verb ({@code HEAD} is {@code get})
 * @param query the decoded query parameters in order of appearance
 * @param headers the request's headers that answers depend on, names in lower case: {@code accept},
 *     {@code content-type}, {@code if-none-match}, {@code user-agent}
 * @param user the requesting user
 * @param body the whole body, empty if none; already within the configured limit
 * @param caller the authenticated caller, whose memory budget the answer uses; differs from the user under
 *     impersonation
 * @param isUserEverywhere whether the user has the same name and groups in other clusters; not under impersonation, nor if
 *     the cluster itself authenticated the user
 * @param definition the state of the resource's definition by which the request was judged
 * @param scope what discovery and OpenAPI show
 * @param creationCheck throws a {@link io.fairlead.model.StatusException} unless the user may create what an update finds
 *     missing, and can block; null for a user of this cluster, whose RBAC says that
 */
public record ApiRequest(
        RequestInfo info,
        String method,
        Map<String, List<String>> query,
        Map<String, String> headers,
        UserInfo user,
        byte[] body,
        CallerName caller,
        boolean isUserEverywhere,
        DefinitionState definition,
        ApiScope scope,
        @Nullable Consumer<RequestInfo> creationCheck) {
    /** A request of a user of the cluster, who sees all that the cluster serves. */
    public ApiRequest(
            RequestInfo info,
            String method,
            Map<String, List<String>> query,
            Map<String, String> headers,
            UserInfo user,
            byte[] body,
            CallerName caller,
            boolean isUserEverywhere,
            DefinitionState definition) {
        this(info, method, query, headers, user, body, caller, isUserEverywhere, definition, ApiScope.WHOLE, null);
    }

    /** A request of a user on their own behalf, without a judged definition. */
    public ApiRequest(
            RequestInfo info,
            String method,
            Map<String, List<String>> query,
            Map<String, String> headers,
            UserInfo user,
            byte[] body) {
        this(
                info,
                method,
                query,
                headers,
                user,
                body,
                CallerName.ofGateway(user.name()),
                true,
                new DefinitionState.Any());
    }

    /** The same request of a user of another cluster, which says what may be created. */
    public ApiRequest ofOtherCluster(ApiScope shown, Consumer<RequestInfo> check) {
        return new ApiRequest(
                info, method, query, headers, user, body, caller, isUserEverywhere, definition, shown, check);
    }

    /** The first value of a query parameter, or null if it is absent. */
    public @Nullable String parameter(String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }

    /** A header's value, empty if absent. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }
}
