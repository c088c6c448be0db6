package org.onesided.verbs.shm;

import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.soft.Marks;

/**
 * Finds the marks of a peer's completion queue. Only a side that trusts its peer does, since it maps the peer's file.
 */
final class PeerMarks
{
    private PeerMarks()
    {
    }

    /**
     * @param side what the peer says of itself.
     * @return its marks; null if it has none, or they are gone.
     */
    static Marks open(final PeerContext peer, final PairSide side)
    {
        final int number = side.marks();
        if (number == 0 || side.mark() < 0 || side.mark() >= Marks.CAPACITY)
        {
            return null;
        }
        final String name = FileNames.marks(number);
        final int fd = Posix.openAt(peer.directory(), name, Posix.O_RDWR);
        if (fd < 0)
        {
            return null;
        }
        try
        {
            final SharedMapping mapping = SharedMapping.of(fd, name, Marks.LENGTH, true);
            return new Marks(mapping.address(), number, mapping::close);
        }
        finally
        {
            Posix.close(fd);
        }
    }
}
