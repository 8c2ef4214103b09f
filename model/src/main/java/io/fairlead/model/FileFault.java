package io.fairlead.model;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;

/** Why a file cannot be used, for people: the JDK's own messages are often only the file's name. */
public final class FileFault {
    private static final String MISSING = "there is no such file";
    private static final String DENIED = "permission denied";

    private FileFault() {}

    /** Why an operation failed. */
    public static String of(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> MISSING;
            case AccessDeniedException _ -> DENIED;
            case FileAlreadyExistsException _ -> "a file of this name is in the way";
            case NotDirectoryException _ -> "not a folder";
            case FileNotFoundException stream -> ofStream(stream);
            case CharacterCodingException _ -> "not UTF-8 text";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> failure.getMessage() == null ? "input/output error" : failure.getMessage();
        };
    }

    /** Why a file could not be written. */
    public static String ofWriting(IOException failure) {
        return failure instanceof NoSuchFileException ? "its folder does not exist" : of(failure);
    }

    /** That of a {@code FileOutputStream} and the like, whose message is the file's name with the reason behind it. */
    private static String ofStream(FileNotFoundException failure) {
        String message = String.valueOf(failure.getMessage());
        int reason = message.lastIndexOf(" (");
        return reason >= 0 && message.endsWith(")") ? message.substring(reason + 2, message.length() - 1) : MISSING;
    }

    /** Why a file cannot be read, as far as its attributes reveal it. */
    public static Optional<String> ofReading(Path file) {
        if (Files.isDirectory(file)) {
            return Optional.of("it is a folder");
        }
        return ofAccess(file);
    }

    /** Why a folder cannot be read. */
    public static Optional<String> ofListing(Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            return Optional.of("it is not a folder");
        }
        return Files.notExists(folder) ? Optional.of("there is no such folder") : ofAccess(folder);
    }

    private static Optional<String> ofAccess(Path path) {
        if (Files.notExists(path)) {
            return Optional.of(MISSING);
        }
        return Files.isReadable(path) ? Optional.empty() : Optional.of(DENIED);
    }
}
