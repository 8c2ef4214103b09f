package io.fairlead.net.address;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The permitted destination addresses. Checked for the address of the connection itself, never for a name.
 *
 * <p>Link-local and metadata addresses, unspecified and multicast ones and Fairlead's own listeners are always refused,
 * so that Fairlead gives no caller access to addresses that it could not reach before. Otherwise denied ranges are
 * refused, and if any range is allowed, only allowed ranges are permitted. The same applies to IPv6 addresses that a
 * network translates to a refused one. Thread-safe.
 */
public final class AddressPolicy {
    /** Addresses at which clouds hand out credentials, in addition to the link-local ones. */
    private static final List<Cidr> METADATA = List.of(
            Cidr.parse("100.100.100.200"),
            Cidr.parse("168.63.129.16"),
            Cidr.parse("fd00:ec2::254"),
            Cidr.parse("fd20:ce::254"));

    private final List<Cidr> allowed;

    /** What is said of an address that is not in them; empty if they are empty and all are permitted. */
    private final String notAllowed;

    /** What is said of loopback addresses that are not permitted. */
    private final String notLoopback;

    private final List<Cidr> denied;
    private final boolean allowLoopback;
    private final Supplier<? extends Collection<InetSocketAddress>> ownListeners;

    /**
     * @param allowed if not empty, the only permitted ranges
     * @param denied refused ranges
     * @param allowLoopback whether loopback addresses are permitted
     * @param ownListeners the addresses of Fairlead's listeners, read at each check
     */
    public AddressPolicy(
            List<Cidr> allowed,
            List<Cidr> denied,
            boolean allowLoopback,
            Supplier<? extends Collection<InetSocketAddress>> ownListeners) {
        this(
                allowed,
                allowed.isEmpty() ? "" : "upstream.allowedAddresses does not contain it",
                "loopback addresses need upstream.allowLoopback",
                denied,
                allowLoopback,
                ownListeners);
    }

    private AddressPolicy(
            List<Cidr> allowed,
            String notAllowed,
            String notLoopback,
            List<Cidr> denied,
            boolean allowLoopback,
            Supplier<? extends Collection<InetSocketAddress>> ownListeners) {
        this.allowed = List.copyOf(allowed);
        this.notAllowed = notAllowed;
        this.notLoopback = notLoopback;
        this.denied = List.copyOf(denied);
        this.allowLoopback = allowLoopback;
        this.ownListeners = ownListeners;
    }

    /**
     * One that permits nothing but these ranges, and loopback addresses only if a range has nothing else.
     *
     * @param allowed if empty, nothing is permitted
     * @param allowedBy the key of the configuration that names them
     */
    public static AddressPolicy only(
            List<Cidr> allowed,
            String allowedBy,
            List<Cidr> denied,
            Supplier<? extends Collection<InetSocketAddress>> ownListeners) {
        boolean allowsLoopback = allowed.stream().anyMatch(Cidr::isLoopback);
        return new AddressPolicy(
                allowed,
                allowedBy + " does not contain it",
                allowedBy + " has no block of loopback addresses alone",
                denied,
                allowsLoopback,
                ownListeners);
    }

    /** Why the address is refused; empty if it is permitted. The text completes "… is refused: …". */
    public Optional<String> refusal(InetSocketAddress target) {
        Optional<String> refusal = refusalOf(target);
        if (refusal.isPresent()) {
            return refusal;
        }
        if (!notAllowed.isEmpty() && !anyContains(allowed, target.getAddress())) {
            return Optional.of(notAllowed);
        }
        return EmbeddedAddress.of(target.getAddress())
                .flatMap(inner -> refusalOf(new InetSocketAddress(inner, target.getPort()))
                        .map(why -> "it leads to " + inner.getHostAddress() + ": " + why));
    }

    /**
     * Whether the configuration names the address as permitted, so that callers that register clusters may learn what
     * is found there: for other addresses they could scan ports through Fairlead.
     */
    public boolean names(InetAddress address) {
        return address.isLoopbackAddress() ? allowLoopback : anyContains(allowed, address);
    }

    private Optional<String> refusalOf(InetSocketAddress target) {
        InetAddress address = target.getAddress();
        if (address.isLinkLocalAddress()) {
            return Optional.of("link-local addresses are never connected to");
        }
        if (anyContains(METADATA, address)) {
            return Optional.of("metadata addresses are never connected to");
        }
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            return Optional.of("it is not the address of one host");
        }
        if (isOwnListener(target)) {
            return Optional.of("Fairlead itself listens there");
        }
        if (address.isLoopbackAddress() && !allowLoopback) {
            return Optional.of(notLoopback);
        }
        if (anyContains(denied, address)) {
            return Optional.of("upstream.deniedAddresses contains it");
        }
        return Optional.empty();
    }

    private static boolean anyContains(List<Cidr> ranges, InetAddress address) {
        for (Cidr range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOwnListener(InetSocketAddress target) {
        for (InetSocketAddress listener : ownListeners.get()) {
            if (listener.getPort() == target.getPort() && reaches(listener.getAddress(), target.getAddress())) {
                return true;
            }
        }
        return false;
    }

    private static boolean reaches(InetAddress listener, InetAddress target) {
        return listener.equals(target) || (listener.isAnyLocalAddress() && isOfThisHost(target));
    }

    private static boolean isOfThisHost(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }
}
