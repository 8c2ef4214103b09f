package io.fairlead.gateway.listen;

import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * One request's client: the source of its body and the sink of its answer, over HTTP/1.1 or as a stream of HTTP/2.
 *
 * <p>Every method is called on {@link #eventLoop()}. Writes are flushed at the end of the loop's turn. After the client
 * is gone, writes are released.
 */
public interface ClientStream {
    EventLoop eventLoop();

    /**
     * Sets the request's caller, for whom cancellations count, and whose connection it is, if it has no owner yet.
     *
     * @param owner the caller, or the proxy that sends the requests of many over one connection
     * @param caller equal for the requests of one caller
     * @return null if the request may go on
     */
    @Nullable
    CallerRefused madeBy(Object owner, Object caller);

    /** Sets the cluster whose answer it will be; equal for all answers of one. */
    void answeredBy(Object cluster);

    /** Sets the receiver of the body and of the client's departure; nothing of the body is read before. */
    void receive(RequestListener listener);

    /** Asks for one more piece of the body. */
    void read();

    /**
     * Begins the answer. This side sets framing and connection headers; a {@code Content-Length} is trusted.
     *
     * @param last whether there is no body
     */
    void head(int status, MutableFields headers, boolean last);

    /** A piece of the answer's body; takes ownership. Dropped where the answer has no body ({@code HEAD}, 204, 304). */
    void data(ByteBuf data);

    /** Ends the answer. A body that is shorter than announced becomes {@link #abort()}. */
    void end();

    /** Ends an incomplete answer so that the client can detect it: closes the connection, resets the stream. */
    void abort();

    /**
     * Answers 101 and hands the connection over, with what the client has already sent for the new protocol. Only where
     * {@link Received#upgrade()} offers something, and instead of {@link #head}; the listener gets no more calls.
     *
     * @param protocol the chosen one
     * @param headers further headers of the answer
     */
    RawConnection switchProtocols(String protocol, MutableFields headers);

    /**
     * Something was written to the handed-over connection; from now on the stall timeout of answers applies: if its
     * client reads nothing of a full queue, the connection is closed.
     */
    void wroteToConnection();

    /** So many bytes of the answer wait at their source until the client reads. */
    void waiting(int bytes);

    /** Whether more may be written without queueing beyond the limit. */
    boolean isWritable();

    /** Exempts the client from the stall timeout; otherwise an answer of which it reads nothing is aborted. */
    void waitForReader();
}
