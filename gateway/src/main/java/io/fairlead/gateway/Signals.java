package io.fairlead.gateway;

import java.lang.reflect.Proxy;

/**
 * SIGTERM, SIGINT and SIGHUP. The JVM's default handling of the first two cannot exit with 0 or be cut short by a
 * second signal, and the third ends the process; so they are caught, reflectively, since the only API for that is
 * {@code sun.misc.Signal} of the module {@code jdk.unsupported}.
 */
final class Signals {
    private Signals() {}

    /** Calls back on a JVM thread for each signal that requests the end of the process. */
    static void onTermination(Runnable callback) {
        handle("TERM", callback);
        handle("INT", callback);
    }

    /** Calls back on a JVM thread for each signal that requests a reload; an ignored SIGHUP stays ignored (nohup). */
    static void onHangUp(Runnable callback) {
        handle("HUP", callback);
    }

    private static void handle(String name, Runnable callback) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            callback.run();
                            return null;
                        }
                        return method.getName().equals("hashCode") ? System.identityHashCode(self) : "Signals";
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException unsupported) {
            throw new IllegalStateException("signals cannot be caught on this JVM", unsupported);
        }
    }
}
