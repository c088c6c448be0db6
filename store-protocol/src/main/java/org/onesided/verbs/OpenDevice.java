package org.onesided.verbs;

/**
 * An open device and this side's end of the paths to its peers: port and GID are found out when it is opened, and anew
 * only after {@link #lookAgain}. Thread-safe.
 */
public final class OpenDevice implements AutoCloseable
{
    private final Context context;
    private final ConnectionOptions asked;
    private final String why;
    private ConnectionOptions path;
    private Gid gid;
    private boolean isStale;
    private volatile String failure;
    private volatile String leftFor;

    private OpenDevice(final Context context, final ConnectionOptions asked, final String why)
    {
        this.context = context;
        this.asked = asked;
        this.why = why;
        path = PathChoice.resolve(context, asked);
        gid = gid(path);
    }

    /**
     * Opens a device and finds out what the options leave open.
     *
     * @param device  to open.
     * @param options port and GID, where they are given.
     * @param why     it was chosen, in words that may follow a colon.
     * @return the open device; the caller closes it.
     * @throws VerbsException if the device cannot be used, or has no such port or GID, or none that can be used;
     *                        nothing stays open then.
     */
    public static OpenDevice open(final Device device, final ConnectionOptions options, final String why)
    {
        final Context context = device.open();
        try
        {
            return new OpenDevice(context, options, why);
        }
        catch (final RuntimeException e)
        {
            try
            {
                context.close();
            }
            catch (final RuntimeException suppressed)
            {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /**
     * @return the device's context.
     */
    public Context context()
    {
        return context;
    }

    /**
     * @return the device's name, such as {@code ibv:mlx5_0}.
     */
    public String name()
    {
        return context.device().name();
    }

    /**
     * @return the device's kind, such as {@code ibv}.
     */
    public String kind()
    {
        return kind(name());
    }

    /**
     * @return as {@link Device#gathersRequests} says.
     */
    public boolean gathersRequests()
    {
        return context.device().gathersRequests();
    }

    /**
     * @return as {@link Device#copiesWhilePosting} says.
     */
    public boolean copiesWhilePosting()
    {
        return context.device().copiesWhilePosting();
    }

    /**
     * @param name of a device.
     * @return its kind: what stands before the colon, if there is one.
     */
    public static String kind(final String name)
    {
        final int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(0, colon);
    }

    /**
     * @return why this device was chosen.
     */
    public String why()
    {
        return why;
    }

    /**
     * Options to connect queue pairs with, resolved.
     *
     * @return port, GID index and the rest.
     * @throws VerbsException with {@code EIO} if the device has failed; with {@code ENODEV} if its port is down;
     *                        with {@code EINVAL} if its GID is gone, and no other can be used.
     */
    public synchronized ConnectionOptions path()
    {
        checkWorks();
        if (isStale)
        {
            if (!isAsBefore())
            {
                path = PathChoice.resolve(context, asked);
                gid = gid(path);
            }
            isStale = false;
        }
        return path;
    }

    /**
     * @return number of the port that {@link #path} names, or named last.
     */
    public synchronized int port()
    {
        return path.port();
    }

    /**
     * Has the next {@link #path} look whether port and GID are still there: a port went down or came up, or its GIDs
     * or LID changed.
     */
    public synchronized void lookAgain()
    {
        isStale = true;
    }

    /**
     * Notes that the device has failed: nothing can be connected any more. The first reason stays.
     *
     * @param reason in one line.
     */
    public void fail(final String reason)
    {
        synchronized (this)
        {
            failure = failure == null ? reason : failure;
        }
    }

    /**
     * @return why the device has become unusable, or null.
     */
    public String failure()
    {
        return failure;
    }

    /**
     * @return name, and for real devices port, GID or LID, and MTU, in one line.
     */
    public synchronized String describe()
    {
        final PortAttributes port = context.queryPort(path.port());
        final String layer = port.linkLayer();
        if (!PortAttributes.INFINIBAND.equals(layer) && !PortAttributes.ETHERNET.equals(layer))
        {
            return name();
        }
        final StringBuilder text = new StringBuilder(name())
            .append(" port=").append(path.port())
            .append(" link_layer=").append(layer)
            .append(" mtu=").append(port.activeMtu());
        if (path.gidIndex() < 0)
        {
            return text.append(" lid=").append(port.lid()).toString();
        }
        text.append(" gid_index=").append(path.gidIndex()).append(" gid=").append(gid);
        for (final GidEntry entry : context.queryGidTable(path.port()))
        {
            if (entry.index() == path.gidIndex())
            {
                text.append(" type=\"").append(entry.type()).append('"');
            }
        }
        return text.toString();
    }

    /** Keeps the device open for ever, because a thread that uses it does not end. */
    void leave(final String reason)
    {
        leftFor = reason;
    }

    /**
     * Closes the device.
     *
     * @throws VerbsException with {@code EBUSY} while anything made from it is open, or a thread of it did not end.
     */
    @Override
    public void close()
    {
        final String reason = leftFor;
        if (reason != null)
        {
            throw new VerbsException("close_device", Errno.EBUSY, "device is left open, it is in use: " + reason);
        }
        context.close();
    }

    private void checkWorks()
    {
        if (failure != null)
        {
            throw new VerbsException("query_port", Errno.EIO,
                failure + ", see the kernel's log; when the device works again, start anew");
        }
    }

    private boolean isAsBefore()
    {
        if (!context.queryPort(path.port()).active())
        {
            return false;
        }
        if (path.gidIndex() < 0)
        {
            return true;
        }
        for (final GidEntry entry : context.queryGidTable(path.port()))
        {
            if (entry.index() == path.gidIndex())
            {
                return entry.interfaceUp() && entry.gid().equals(gid);
            }
        }
        return false;
    }

    private Gid gid(final ConnectionOptions of)
    {
        return of.gidIndex() < 0 ? null : context.queryGid(of.port(), of.gidIndex());
    }
}
