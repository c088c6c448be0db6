package org.onesided.verbs;

/**
 * A control verb failed. The message is one line with the verb, the errno, the object and, where known, the likely
 * cause and the remedy.
 */
public final class VerbsException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** The verb that failed. */
    private final String verb;

    /** Why, as an errno. */
    private final int errno;

    /** The message without both. */
    private final String detail;

    /**
     * @param verb   that failed, such as {@code reg_mr}.
     * @param errno  a positive error number, see {@link Errno}.
     * @param detail the object, its values, and what to do about it.
     */
    public VerbsException(final String verb, final int errno, final String detail)
    {
        this(verb, errno, detail, null);
    }

    /**
     * @param verb   that failed, such as {@code reg_mr}.
     * @param errno  a positive error number, see {@link Errno}.
     * @param detail the object, its values, and what to do about it.
     * @param cause  what made it fail, or null.
     */
    public VerbsException(final String verb, final int errno, final String detail, final Throwable cause)
    {
        super(verb + ": " + Errno.name(errno) + ": " + detail, cause);
        this.verb = verb;
        this.errno = errno;
        this.detail = detail;
    }

    /**
     * @param data to end the message in.
     * @return the same failure, with more to tell; this one is its cause.
     */
    public VerbsException with(final String data)
    {
        return new VerbsException(verb, errno, detail + " " + data, this);
    }

    /**
     * @return the verb that failed.
     */
    public String verb()
    {
        return verb;
    }

    /**
     * @return a positive error number, see {@link Errno}.
     */
    public int errno()
    {
        return errno;
    }
}
