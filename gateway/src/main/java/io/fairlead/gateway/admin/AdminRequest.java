package io.fairlead.gateway.admin;

import io.fairlead.gateway.authn.Identity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request to the gateway's own API.
 *
 * @param caller the caller; the endpoint checks what it may read, with {@code ClusterAccess}
 * @param method the HTTP method
 * @param path the whole path, without the query ({@code /fairlead/v1/clusters/prod/served})
 * @param query the decoded query parameters in order of appearance
 * @param headers the headers that answers depend on, names in lower case
 */
public record AdminRequest(
        Identity caller, String method, String path, Map<String, List<String>> query, Map<String, String> headers) {
    /** The first value of a query parameter, or null if it is absent. */
    public @Nullable String parameter(String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }
}
