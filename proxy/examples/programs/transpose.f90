! A distributed matrix and its transpose, with the bindings of mpi_f08: strided sections as datatypes, arguments left
! out, tests, a graph of neighbours with hints, requests that are started again.
program transpose_f08
  use mpi_f08
  implicit none
  integer, parameter :: n = 24
  type(MPI_Comm) :: twin, ring
  type(MPI_Info) :: hints
  type(MPI_Datatype) :: row, rows
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  integer :: me, ranks, i, j, round, wrong, left, right, bytes, places(2)
  integer(kind=MPI_ADDRESS_KIND) :: extent
  integer, volatile :: most
  logical :: flag
  double precision, allocatable :: a(:, :), b(:, :), c(:, :)
  double precision :: total

  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, twin)
  call MPI_Comm_rank(twin, me)
  call MPI_Comm_size(twin, ranks)
  allocate (a(n, n * ranks), b(n, n * ranks), c(n, n))
  wrong = 0
  do round = 1, 10
    do j = 1, n * ranks
      do i = 1, n
        a(i, j) = dble(me * n + i) + 1000d0 * dble(j)
      end do
    end do
    ! Block k of my rows goes to rank k.
    call MPI_Alltoall(a, n * n, MPI_DOUBLE_PRECISION, b, n * n, MPI_DOUBLE_PRECISION, twin)
    do j = 0, ranks - 1
      c = transpose(b(:, j * n + 1:(j + 1) * n))
      if (abs(c(1, 2) - (dble(j * n + 2) + 1000d0 * dble(me * n + 1))) > 1d-9) wrong = 1
    end do
    ! A row of a matrix is strided in Fortran.
    call MPI_Type_vector(n, 1, n, MPI_DOUBLE_PRECISION, row)
    extent = 8
    call MPI_Type_create_resized(row, 0_MPI_ADDRESS_KIND, extent, rows)
    call MPI_Type_commit(rows)
    right = modulo(me + 1, ranks)
    left = modulo(me - 1, ranks)
    call MPI_Irecv(c, n * 2, MPI_DOUBLE_PRECISION, left, 5, twin, requests(1))
    call MPI_Isend(a, 2, rows, right, 5, twin, requests(2))
    flag = .false.
    do while (.not. flag)
      call MPI_Test(requests(1), flag, status)
    end do
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, bytes)
    if (bytes /= 2 * n .or. status%MPI_SOURCE /= left) wrong = 1
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    if (abs(c(2, 1) - (dble(left * n + 1) + 2000d0)) > 1d-9) wrong = 1
    ! Which comes first is not asked: MPICH 4.0's mpi_f08 counts requests from 0.
    call MPI_Irecv(c, n, MPI_DOUBLE_PRECISION, left, 7, twin, requests(1))
    call MPI_Isend(a, n, MPI_DOUBLE_PRECISION, right, 7, twin, requests(2))
    if (modulo(round, 2) == 0) then
      call MPI_Waitany(2, requests, i, status)
      call MPI_Waitany(2, requests, i, MPI_STATUS_IGNORE)
    else
      j = 0
      do while (j < 2)
        call MPI_Waitsome(2, requests, bytes, places, MPI_STATUSES_IGNORE)
        j = j + bytes
      end do
    end if
    call MPI_Type_free(rows)
    call MPI_Type_free(row)
    total = c(1, 1)
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_MAX, twin)
  end do
  call MPI_Info_create(hints)
  call MPI_Info_set(hints, 'transpose_hint', 'a ring  ')
  call MPI_Dist_graph_create_adjacent(twin, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, hints, .false., ring)
  call MPI_Info_free(hints)
  call MPI_Neighbor_allgather(me, 1, MPI_INTEGER, i, 1, MPI_INTEGER, ring)
  if (i /= left) wrong = 1
  call MPI_Recv_init(c, n, MPI_DOUBLE_PRECISION, left, 6, ring, requests(1))
  call MPI_Send_init(a, n, MPI_DOUBLE_PRECISION, right, 6, ring, requests(2))
  do round = 1, 4
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  end do
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))
  call MPI_Comm_free(ring)
  most = wrong
  call MPI_Iallreduce(MPI_IN_PLACE, most, 1, MPI_INTEGER, MPI_MAX, twin, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  wrong = most
  if (me == 0) print '(a,f12.2,a,i2)', ' transpose: largest ', total, ', wrong ', wrong
  call MPI_Comm_free(twin)
  call MPI_Finalize()
  if (wrong /= 0) stop 1
end program transpose_f08
