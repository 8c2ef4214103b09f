package io.fairlead.gateway.impersonate;

import io.fairlead.gateway.enter.Entered;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.Iterator;
import java.util.Map;

/** A request of which is known as whom it acts in the cluster. */
public final class Acting {
    private static final String PREFIX = "impersonate-";

    private final Entered entered;
    private final UserInfo user;

    private Acting(Entered entered, UserInfo user) {
        this.entered = entered;
        this.user = user;
    }

    /**
     * Everybody acts as themselves.
     *
     * @throws StatusException with 403 if the request has any header of the impersonation family
     */
    public static Acting asThemselves(Entered entered) {
        Iterator<Map.Entry<CharSequence, CharSequence>> fields =
                entered.described().received().headers().iteratorCharSequence();
        while (fields.hasNext()) {
            String name = fields.next().getKey().toString();
            if (name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
                throw new StatusException(Status.of(
                        403,
                        "Forbidden",
                        "header \"" + name
                                + "\": impersonation is not offered here (expected no Impersonate- header; the"
                                + " cluster sees the authenticated user)"));
            }
        }
        return new Acting(entered, entered.identity().user());
    }

    public Entered entered() {
        return entered;
    }

    /** Whom the cluster sees. */
    public UserInfo user() {
        return user;
    }
}
