package io.fairlead.gateway.impersonate;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The rights that impersonation requires: the verb {@code impersonate} on the user or ServiceAccount, the uid, each
 * group and each extra value, in this order (apiserver {@code endpoints/filters/impersonation}).
 */
final class ImpersonationRights {
    private static final String VERB = "impersonate";
    private static final String AUTHENTICATION = "authentication.k8s.io";

    private ImpersonationRights() {}

    static List<RequestInfo> of(UserInfo wanted) {
        List<RequestInfo> rights = new ArrayList<>();
        rights.add(user(wanted.name()));
        if (!wanted.uid().isEmpty()) {
            rights.add(right(AUTHENTICATION, "", "uids", "", wanted.uid()));
        }
        for (String group : wanted.groups()) {
            rights.add(right("", "", "groups", "", group));
        }
        wanted.extra().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(extra -> {
            for (String value : extra.getValue()) {
                rights.add(right(AUTHENTICATION, "", "userextras", extra.getKey(), value));
            }
        });
        return rights;
    }

    private static RequestInfo user(String name) {
        ServiceAccountName account = ServiceAccountName.of(name);
        return account == null
                ? right("", "", "users", "", name)
                : right("", account.namespace(), "serviceaccounts", "", account.name());
    }

    private static RequestInfo right(String group, String namespace, String resource, String subresource, String name) {
        return new RequestInfo(
                true,
                "",
                VERB,
                group.isEmpty() ? "api" : "apis",
                group,
                "v1",
                namespace,
                resource,
                subresource,
                name,
                "");
    }
}
