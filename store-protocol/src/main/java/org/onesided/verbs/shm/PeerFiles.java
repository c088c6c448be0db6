package org.onesided.verbs.shm;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.onesided.verbs.posix.Posix;

/**
 * The memory files of a peer's context that are mapped here, for reading or for both.
 */
final class PeerFiles
{
    private final int directory;
    private final Path path;
    private final Consumer<SharedMapping> retire;
    private final Map<Integer, SharedMapping> readable = new HashMap<>();
    private final Map<Integer, SharedMapping> writable = new HashMap<>();

    /**
     * @param directory of the peer's context, open.
     * @param path      of the directory.
     * @param retire    unmaps what no request uses any more.
     */
    PeerFiles(final int directory, final Path path, final Consumer<SharedMapping> retire)
    {
        this.directory = directory;
        this.path = path;
        this.retire = retire;
    }

    /**
     * @return the mapping, or null if the file is gone.
     */
    synchronized SharedMapping map(final int file, final boolean forWriting)
    {
        final Map<Integer, SharedMapping> mappings = forWriting ? writable : readable;
        final SharedMapping known = mappings.get(file);
        if (known != null)
        {
            return known;
        }
        retireRemoved(readable);
        retireRemoved(writable);
        final String name = FileNames.memory(file);
        final int access = forWriting ? Posix.O_RDWR : Posix.O_RDONLY;
        final int fd = Posix.openAt(directory, name, access | Posix.O_NONBLOCK);
        if (fd < 0)
        {
            return null;
        }
        try
        {
            final SharedMapping mapping = SharedMapping.of(fd, name, 1, forWriting);
            mappings.put(file, mapping);
            return mapping;
        }
        finally
        {
            Posix.close(fd);
        }
    }

    /**
     * Drops the mappings of files that were removed: by the peer, and then no key refers to them any more, or by
     * somebody else, and then requests that know a mapping must see that it is retired.
     */
    private void retireRemoved(final Map<Integer, SharedMapping> mappings)
    {
        mappings.entrySet().removeIf((mapping) ->
        {
            final boolean removed = Files.notExists(
                path.resolve(FileNames.memory(mapping.getKey())), LinkOption.NOFOLLOW_LINKS);
            if (removed)
            {
                mapping.getValue().retire();
                retire.accept(mapping.getValue());
            }
            return removed;
        });
    }

    synchronized void close()
    {
        readable.values().forEach(SharedMapping::close);
        writable.values().forEach(SharedMapping::close);
    }
}
