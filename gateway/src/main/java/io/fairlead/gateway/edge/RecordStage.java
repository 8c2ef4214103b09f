package io.fairlead.gateway.edge;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.answer.Trace;
import io.fairlead.gateway.audit.Audits;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.tracing.Tracing;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import org.jspecify.annotations.Nullable;

/**
 * Has requests recorded, if there is an audit log, and traced, if there is a collector. Threads: the request's event loop.
 *
 * @param audits null if there is none
 * @param tracing null if nothing is traced
 * @param steps of requests that wait for their records
 */
record RecordStage(@Nullable Audits audits, @Nullable Tracing tracing, Steps steps) {
    /** Whether nothing has to be recorded before a request goes on. */
    boolean isOff() {
        return audits == null;
    }

    /** Observes a request from now on. */
    void attend(Described described, Reply reply) {
        if (audits != null) {
            audits.attend(described, reply);
        }
        if (tracing != null) {
            tracing.attend(described, reply);
        }
    }

    /**
     * Goes on with a request whose caller is known, once its record is written if that is to be waited for.
     *
     * @param user null for a caller who needs no credential
     * @throws StatusException if it cannot be recorded and must be
     */
    void received(@Nullable UserInfo user, Reply reply, Runnable next) {
        if (audits == null) {
            next.run();
        } else if (goesOnAtOnce(user, reply, next)) {
            reply.trace().goesOn();
            next.run();
        }
    }

    private boolean goesOnAtOnce(@Nullable UserInfo user, Reply reply, Runnable next) {
        reply.trace().waits(Trace.Stage.RECORD);
        return reply.witness()
                .received(
                        user,
                        refusal -> steps.onEventLoop(reply, () -> {
                            if (refusal.isPresent()) {
                                throw new StatusException(refusal.get());
                            }
                            next.run();
                        }));
    }
}
