package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.CommitResult.Committed;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A process that takes all of its descriptors while it writes, and gives them back. Says on its standard output what became
 * of its writes: {@code acknowledged N}, {@code refused REASON}, {@code read} and in the end {@code finished}.
 */
final class StarvedWriter {
    /** More in a row than the database takes without another file. */
    private static final int WRITES_MAX = 64;

    private final EmbeddedStore store;
    private final byte[] value = new byte[1024 * 1024];
    private int acknowledged;

    private StarvedWriter(EmbeddedStore store) {
        this.store = store;
    }

    /** Argument: the store's directory. */
    public static void main(String[] arguments) throws Exception {
        loadAllClasses();
        try (EmbeddedStore store = EmbeddedStore.open(Path.of(arguments[0]), TestOptions.defaults())) {
            new StarvedWriter(store).run();
        }
        System.out.println("finished");
    }

    private void run() throws IOException {
        new Random(1).nextBytes(value);
        write();
        List<FileInputStream> taken = takeAllDescriptors();
        for (int i = 0; i < WRITES_MAX && write(); i++) {
            // Until a file must be opened.
        }
        write();
        if (store.get("/0") != null) {
            System.out.println("read");
        }
        for (FileInputStream each : taken) {
            each.close();
        }
        for (int i = 0; i < WRITES_MAX && write(); i++) {
            // Through further files.
        }
    }

    private boolean write() {
        String key = "/" + acknowledged;
        try {
            if (store.commit(new Write.Put(key, value, 0)) instanceof Committed) {
                acknowledged++;
                System.out.println("acknowledged " + acknowledged);
                return true;
            }
            System.out.println("mismatch " + key);
        } catch (StoreException e) {
            System.out.println("refused " + e.reason() + " " + e.getMessage());
        }
        return false;
    }

    private static List<FileInputStream> takeAllDescriptors() {
        List<FileInputStream> taken = new ArrayList<>();
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException noneLeft) {
            return taken;
        }
    }

    /** Classes in folders need descriptors of their own. */
    private static void loadAllClasses() throws Exception {
        Class<?>[] inBothFolders = {EmbeddedStore.class, StarvedWriter.class};
        for (Class<?> one : inBothFolders) {
            Path folder = Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (Stream<Path> files = Files.list(folder.resolve("io/fairlead/storage"))) {
                for (Path file : files.toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".class") && !name.contains("Test") && !name.contains("Contract")) {
                        Class.forName("io.fairlead.storage." + name.substring(0, name.length() - 6));
                    }
                }
            }
        }
    }
}
