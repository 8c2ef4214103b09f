package io.fairlead.gateway.listen;

import io.fairlead.http.RawConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One request's client: where its body comes from and its answer goes, over HTTP/1.1 or as a stream of HTTP/2.
 *
 * <p>Every method is called on {@link #eventLoop()}. What is written is flushed at the end of the loop's turn. After the
 * client is gone, everything that is written is released.
 */
public interface ClientStream {
    EventLoop eventLoop();

    /**
     * Tells who makes the request: the connection, if no caller has taken it, and what is given up count for that caller.
     *
     * @param caller equal for the requests of one caller
     * @return null if the request may go on
     */
    @Nullable
    CallerRefused madeBy(Object caller);

    /** Hears the body and the client's fate from now on; nothing of the body is read before. */
    void receive(RequestListener listener);

    /** Asks for one more piece of the body. */
    void read();

    /**
     * Begins the answer. Framing and connection headers are this side's; a {@code Content-Length} is believed.
     *
     * @param last whether there is no body
     */
    void head(int status, HttpHeaders headers, boolean last);

    /** A piece of the answer's body; takes ownership. Dropped where the answer has none ({@code HEAD}, 204, 304). */
    void data(ByteBuf data);

    /** Ends the answer. A body that is shorter than was announced becomes {@link #abort()}. */
    void end();

    /** Ends an answer that is not complete so that the client can see it: closes the connection, resets the stream. */
    void abort();

    /**
     * Answers 101 and gives the connection away, with what the client has sent for the new protocol already. Only where
     * {@link Received#upgrade()} offers something, and instead of {@link #head}; the listener hears nothing more.
     *
     * @param protocol the one that was chosen
     * @param headers what else the answer says
     */
    RawConnection switchProtocols(String protocol, HttpHeaders headers);

    /**
     * Something was written to the connection that was given away, whose client shall be held to what holds for an answer: when
     * it reads nothing of a full queue, the connection is lost.
     */
    void wroteToConnection();

    /** Whether more may be written without queueing beyond the limit. */
    boolean isWritable();

    /** Lets the client stop reading for as long as it wants; else an answer that it reads nothing of is broken off. */
    void waitForReader();
}
