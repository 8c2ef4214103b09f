package io.fairlead.gateway.answer;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.model.Status;
import io.fairlead.model.UserInfo;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Observes a request from its head to its answer, stage by stage. On the request's event loop, or on another thread that goes to
 * the event loop afterwards.
 */
public interface Witness extends Outcome {
    /** Ignores all calls. */
    Witness NONE = new Witness() {};

    /**
     * The caller is known, and nothing was done yet. On the event loop.
     *
     * @param user null for one who needs no credential
     * @param later is called once, on any thread, if this returns false: the request goes on then, or ends with a failure
     * @return whether the request goes on at once
     * @throws io.fairlead.model.StatusException if it ends at once
     */
    default boolean received(@Nullable UserInfo user, Consumer<Optional<Status>> later) {
        return true;
    }

    /** The caller may act as another user, and does. */
    default void actsAs(UserInfo user) {}

    /** The gateway allowed it, on behalf of a hosted cluster; the reason may be empty. */
    default void allowed(String reason) {}

    /** It is forwarded, and this is how its user is presented. */
    default void forwarded(UpstreamIdentity identity) {}

    /** A hosted cluster gets this body. */
    default void requestBody(String contentType, byte[] body) {}

    /** A hosted cluster answers with this body; before the head is sent. */
    default void answerBody(int code, String contentType, byte[] body) {}

    /** A hosted cluster answers with a body that is made piece by piece. */
    default void answerInPieces() {}

    /** The gateway answers with this failure; before the head is sent. */
    default void failed(Status status) {}

    /** A fault of the program is the reason for the failure that follows. */
    default void broken() {}
}
