package io.fairlead.net.address;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Resolves a host name without blocking the caller. */
public interface HostResolver {
    /** The addresses in the order in which to try them, never none; fails with {@link java.net.UnknownHostException}. */
    CompletionStage<List<InetAddress>> resolve(String host);
}
