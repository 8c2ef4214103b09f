package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/*
 * The system queues connections until they are accepted, and drops new ones when its queue is full; the client tries
 * again after a second, then after two more. Event loops busy with handshakes accept so slowly that a flood of
 * connections fills the queue. So a separate thread accepts and only counts them. That thread is faster at accepting
 * than the event loops are at closing. So while many connections wait to be closed for others, it accepts none: each of
 * them still has its descriptor.
 */
/** Gives each accepted connection its place, or closes it. On the listener's event loop. */
final class Places extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<Place> PLACE = AttributeKey.valueOf(Places.class, "place");
    static final int CLOSING_MAX = 64;

    private final ConnectionQuota quota;
    private final ConnectionMeter meter;
    private final Strangers strangers = new Strangers();
    private int closing;

    Places(ConnectionQuota quota, ConnectionMeter meter) {
        this.quota = quota;
        this.meter = meter;
    }

    /** The place of an admitted connection; null if another connection has taken it since. */
    static @Nullable Place placeOf(Channel connection) {
        Place place = connection.attr(PLACE).get();
        return place == null || place.isLeft() ? null : place;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
        Channel connection = (Channel) accepted;
        InetSocketAddress address = (InetSocketAddress) connection.remoteAddress();
        if (address == null) {
            connection.unsafe().closeForcibly(); // It has closed already.
            return;
        }
        if (!hasPlace(address.getAddress())) {
            meter.refused();
            connection.unsafe().closeForcibly();
            return;
        }
        connection.attr(PLACE).set(place(ctx.channel(), connection, address.getAddress()));
        ctx.fireChannelRead(connection);
    }

    /** With all places taken, in total or of the address, a connection without a caller is closed for the new one. */
    private boolean hasPlace(InetAddress address) {
        for (Limit reached = quota.acquire(address); reached != null; reached = quota.acquire(address)) {
            meter.reached(reached);
            boolean hasMadeRoom = reached == Limit.CONNECTIONS
                    ? strangers.closeOldest()
                    : strangers.closeOldestOf(AddressBlock.of(address));
            if (!hasMadeRoom) {
                return false;
            }
        }
        return true;
    }

    private Place place(Channel listening, Channel connection, InetAddress address) {
        Place place = Place.of(quota, address, strangers, () -> close(listening, connection));
        connection.closeFuture().addListener(_ -> place.leave());
        return place;
    }

    /** A connection that is not set up yet closes when it finds that its place was taken. */
    private void close(Channel listening, Channel connection) {
        closing++;
        pace(listening);
        connection.closeFuture().addListener(_ -> {
            if (!listening.eventLoop().isShuttingDown()) {
                listening.eventLoop().execute(() -> {
                    closing--;
                    pace(listening);
                });
            }
        });
        if (connection.isRegistered()) {
            connection.eventLoop().execute(() -> Listener.closeAtOnce(connection));
        }
    }

    private void pace(Channel listening) {
        listening.config().setAutoRead(closing < CLOSING_MAX);
    }
}
