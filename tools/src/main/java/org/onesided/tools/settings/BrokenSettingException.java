package org.onesided.tools.settings;

/**
 * Says in one line what is wrong with a file of properties, and where.
 */
public final class BrokenSettingException extends Exception
{
    private static final long serialVersionUID = 1L;

    /**
     * @param place   file, or file and line.
     * @param message what is wrong there.
     */
    public BrokenSettingException(final String place, final String message)
    {
        super(place + ": " + message);
    }
}
