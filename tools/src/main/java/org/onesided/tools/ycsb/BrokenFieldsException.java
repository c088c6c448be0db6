package org.onesided.tools.ycsb;

/**
 * A value is not what {@link FieldsDescriptor} says, so this binding did not write it.
 */
final class BrokenFieldsException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    BrokenFieldsException(final String message)
    {
        super(message);
    }
}
