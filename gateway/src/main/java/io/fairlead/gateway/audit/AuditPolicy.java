package io.fairlead.gateway.audit;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are recorded, and how: the first rule that matches decides, and what matches none is not recorded.
 * Immutable.
 */
public final class AuditPolicy {
    private final List<AuditRule> rules;
    private final Ruling otherwise;

    AuditPolicy(List<AuditRule> rules, Ruling otherwise) {
        this.rules = List.copyOf(rules);
        this.otherwise = otherwise;
    }

    /**
     * Reads the file of kube-apiserver's {@code --audit-policy-file}.
     *
     * @throws IllegalArgumentException with all that is wrong in one line
     */
    public static AuditPolicy parse(String yaml) {
        return AuditPolicyFile.read(yaml);
    }

    /** What holds for a request, of an authenticated caller, or of one who is not known. Makes nothing. */
    Ruling of(RequestInfo request, @Nullable UserInfo user) {
        for (AuditRule rule : rules) {
            if (rule.matches(request, user)) {
                return rule.ruling();
            }
        }
        return otherwise;
    }
}
