package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.http.HeadLimits;
import org.jspecify.annotations.Nullable;

/**
 * What a client's connection works with, whatever protocol it speaks.
 *
 * @param peer the client
 * @param handler gets its requests
 * @param unparsed the connection's part of the bytes that no request was made of yet
 * @param unread what waits for clients that do not read
 * @param cancellations counts the requests that clients gave up
 * @param place the connection's place among all connections
 */
record ClientConnection(
        Peer peer,
        LimitSettings limits,
        RequestHandler handler,
        LimitMeter meter,
        ByteBudget.Part unparsed,
        ByteBudget unread,
        Cancellations cancellations,
        Place place) {

    /** The limits of the heads of its requests. */
    HeadLimits heads() {
        return new HeadLimits(
                limits.targetBytesMax().intBytes(), limits.headBytesMax().intBytes(), limits.headerFieldsMax());
    }

    /** A request was authenticated; returns null if neither the owner of its connection nor its caller is refused. */
    @Nullable
    CallerRefused authenticated(Object owner, Object caller) {
        CallerRefused refused = CallerRefused.of(owner, caller, place, cancellations);
        if (refused != null) {
            meter.reached(refused.limit());
        }
        return refused;
    }

    /**
     * A request was given up by its client.
     *
     * @param caller null if it was not authenticated
     * @return whether the client may go on
     */
    boolean gaveUp(@Nullable Object caller, boolean answered) {
        return cancellations.count(callerOrAddress(caller), answered);
    }

    /**
     * Who reads an answer.
     *
     * @param cluster the one that answers; null if it is none, or not known
     */
    ByteBudget.Holder holder(@Nullable Object cluster, @Nullable Object caller) {
        return new ByteBudget.Holder(cluster == null ? "" : cluster, callerOrAddress(caller));
    }

    private Object callerOrAddress(@Nullable Object caller) {
        return caller == null ? AddressBlock.of(peer.address().getAddress()) : caller;
    }

    /** Input that is not a request is about to be answered. */
    void refused(Refused refused) {
        handler.refused(peer, refused.status());
        Limit limit = refused.limit();
        if (limit != null) {
            meter.reached(limit);
        }
    }
}
