package io.fairlead.http;

import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The native libraries of Netty, BoringSSL and epoll. Netty takes them from {@code java.library.path}; where they are not
 * there, it searches all jars of the class path and unpacks them into the temporary folder, at every start.
 */
public final class NativeLibraries {
    private static final List<String> NAMES = List.of("netty_tcnative_linux_", "netty_transport_native_epoll_");

    private NativeLibraries() {}

    /**
     * Unpacks those for this kind of machine into a folder, which is made; without any, for one that Netty uses the JDK's
     * own means on.
     */
    public static void unpackInto(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (String name : NAMES) {
            String file = System.mapLibraryName(name + PlatformDependent.normalizedArch());
            try (InputStream packed =
                    NativeLibraries.class.getClassLoader().getResourceAsStream("META-INF/native/" + file)) {
                if (packed != null) {
                    Files.copy(packed, folder.resolve(file));
                }
            }
        }
    }
}
