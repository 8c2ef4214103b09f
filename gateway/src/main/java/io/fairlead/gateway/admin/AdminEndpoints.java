package io.fairlead.gateway.admin;

import io.fairlead.hosted.ApiResponse;

/** The gateway's own API below {@code /fairlead/v1/}. Calls block and come on virtual threads. */
@FunctionalInterface
public interface AdminEndpoints {
    /** Answers an authenticated request; a {@code StatusException} becomes its Status. */
    ApiResponse serve(AdminRequest request);
}
